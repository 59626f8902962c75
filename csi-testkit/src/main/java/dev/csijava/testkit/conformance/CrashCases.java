package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The crash engine: kill -9 in the middle of calls, a restart, and the same calls again. */
final class CrashCases implements CaseGroup {
  private static final String CONTROLLER = "ENGINE-CRASH-001";
  private static final String NODE = "ENGINE-CRASH-002";
  private static final int MOST_ROUNDS = 3;
  private static final int CALLS = 8;
  private static final int LONGEST_MILLIS = 120;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
                "engine-crash-controller",
                "Volumes and snapshots over kill -9",
                c -> over(c, CrashCases::controller),
                CONTROLLER)
            .runAlone(),
        Case.of(
                "engine-crash-node",
                "Stagings and targets over kill -9",
                c -> over(c, CrashCases::node),
                NODE)
            .runAlone());
  }

  /** What is done with a driver that can be killed. */
  @FunctionalInterface
  private interface Body {
    void run(CaseContext c, DriverProcess driver) throws InterruptedException;
  }

  private static void over(CaseContext c, Body body) throws InterruptedException {
    try (DriverProcess driver = new DriverProcess(c)) {
      body.run(c, driver);
    }
  }

  private static void controller(CaseContext c, DriverProcess driver) throws InterruptedException {
    Random random = new Random(c.settings().seed());
    c.note(CONTROLLER, "--seed " + c.settings().seed());
    Holdings before = Holdings.of(c, CONTROLLER);
    Map<String, String> answered = new HashMap<>();
    List<CreateVolumeRequest> volumes = new ArrayList<>();
    Volume source = c.make().volume();
    boolean cuts = c.advertises("ctrl:CREATE_DELETE_SNAPSHOT");
    List<CreateSnapshotRequest> snapshots = new ArrayList<>();
    for (int round = 0; round < rounds(c); round++) {
      List<Runnable> calls = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        if (cuts && i % 4 == 3) {
          CreateSnapshotRequest request = c.requests().snapshot(source.getVolumeId()).build();
          snapshots.add(request);
          calls.add(
              () ->
                  put(
                      answered,
                      request.getName(),
                      c.controller().createSnapshot(request).getSnapshot().getSnapshotId()));
        } else {
          CreateVolumeRequest request = c.requests().volume().build();
          volumes.add(request);
          calls.add(
              () ->
                  put(
                      answered,
                      request.getName(),
                      c.controller().createVolume(request).getVolume().getVolumeId()));
        }
      }
      killAmong(c, driver, calls, random);
      serves(c, CONTROLLER, driver);
    }
    Set<String> volumeIds = new HashSet<>(Set.of(source.getVolumeId()));
    for (CreateVolumeRequest request : volumes) {
      Volume volume =
          Retries.answer(c, CONTROLLER, () -> c.controller().createVolume(request).getVolume());
      kept(c, answered, request.getName(), volume.getVolumeId());
      volumeIds.add(volume.getVolumeId());
    }
    Set<String> snapshotIds = new HashSet<>();
    for (CreateSnapshotRequest request : snapshots) {
      Snapshot snapshot =
          Retries.answer(c, CONTROLLER, () -> c.controller().createSnapshot(request).getSnapshot());
      kept(c, answered, request.getName(), snapshot.getSnapshotId());
      snapshotIds.add(snapshot.getSnapshotId());
    }
    before.mustHaveAdded(c, CONTROLLER, volumeIds, snapshotIds);
    List<Runnable> deletions = new ArrayList<>();
    snapshotIds.forEach(id -> deletions.add(() -> SnapshotCases.delete(c, id)));
    killAmong(c, driver, deletions, random);
    serves(c, CONTROLLER, driver);
    snapshotIds.forEach(id -> Retries.answer(c, CONTROLLER, () -> SnapshotCases.delete(c, id)));
    List<Runnable> more = new ArrayList<>();
    volumeIds.forEach(id -> more.add(() -> DeleteVolumeCases.delete(c, id)));
    killAmong(c, driver, more, random);
    serves(c, CONTROLLER, driver);
    volumeIds.forEach(id -> Retries.answer(c, CONTROLLER, () -> DeleteVolumeCases.delete(c, id)));
    before.mustHaveAdded(c, CONTROLLER, Set.of(), Set.of());
  }

  /** Each round is several restarts; whoever repeats little has few of them. */
  private static int rounds(CaseContext c) {
    return Math.min(MOST_ROUNDS, c.settings().repetitions());
  }

  private static void put(Map<String, String> answered, String name, String id) {
    synchronized (answered) {
      answered.put(name, id);
    }
  }

  private static void kept(CaseContext c, Map<String, String> answered, String name, String id) {
    synchronized (answered) {
      String before = answered.getOrDefault(name, id);
      c.check(CONTROLLER, before.equals(id), name + " still has the id " + before, id);
    }
  }

  private static void serves(CaseContext c, String row, DriverProcess driver) {
    Outcome<?> alive = driver.restart();
    c.check(row, alive.ok(), "a driver that serves again", alive);
    c.need(alive.ok(), "the driver does not serve after the restart");
  }

  /** Starts the calls and kills the driver a moment later; how they end is of no interest. */
  private static void killAmong(
      CaseContext c, DriverProcess driver, List<Runnable> calls, Random random)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, calls.size()));
    try {
      List<Future<?>> running = new ArrayList<>();
      for (Runnable call : calls) {
        running.add(
            threads.submit(
                () ->
                    Outcome.of(
                        () -> {
                          call.run();
                          return true;
                        })));
      }
      Thread.sleep(random.nextInt(LONGEST_MILLIS));
      driver.kill();
      for (Future<?> one : running) {
        // Without a way to kill it, it is the restart that cuts them off.
        if (c.settings().killCommand().isPresent() || c.settings().pidFile().isPresent()) {
          one.get(c.settings().callTimeout().toSeconds(), TimeUnit.SECONDS);
        }
      }
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException(e);
    } finally {
      threads.shutdown();
    }
  }

  private static void node(CaseContext c, DriverProcess driver) throws InterruptedException {
    Random random = new Random(c.settings().seed());
    c.note(NODE, "--seed " + c.settings().seed());
    NodeWork work = c.make().onNode();
    OnNode volume = work.attach(c.make().volume(), c.requests().capability());
    String target = work.targetPath();
    boolean stages = !volume.stagingPath().isEmpty();
    for (int round = 0; round < rounds(c); round++) {
      List<Runnable> forth = new ArrayList<>();
      if (stages) {
        forth.add(() -> c.node().nodeStageVolume(volume.stageRequest().build()));
        killAmong(c, driver, forth, random);
        serves(c, NODE, driver);
        Retries.answer(c, NODE, () -> c.node().nodeStageVolume(volume.stageRequest().build()));
      }
      var publish = volume.publishRequest(target).build();
      killAmong(c, driver, List.of(() -> c.node().nodePublishVolume(publish)), random);
      serves(c, NODE, driver);
      Retries.answer(c, NODE, () -> c.node().nodePublishVolume(publish));
      long mounts = SeenMounts.count(target);
      c.check(NODE, mounts <= 1, "one mount at the target", mounts + " mounts");
      var unpublish = volume.unpublishRequest(target);
      killAmong(c, driver, List.of(() -> c.node().nodeUnpublishVolume(unpublish)), random);
      serves(c, NODE, driver);
      Retries.answer(c, NODE, () -> c.node().nodeUnpublishVolume(unpublish));
      c.check(NODE, !SeenMounts.isMounted(target), "nothing mounted then", target);
      if (stages) {
        Retries.answer(c, NODE, () -> c.node().nodeUnstageVolume(volume.unstageRequest()));
        c.check(NODE, !SeenMounts.isMounted(volume.stagingPath()), "nothing staged", target);
      }
    }
  }
}
