package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import dev.csijava.testkit.conformance.ReplayLife.Step;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The concurrency engine: storms of calls. */
final class StormCases implements CaseGroup {
  private static final String SAME = "ENGINE-STORM-001";
  private static final String CONFLICT = "ENGINE-STORM-002";
  private static final String MANY = "ENGINE-STORM-003";
  private static final int CALLERS = 8;
  private static final int VOLUMES = 12;
  private static final int ROUNDS = 4;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
                "engine-concurrency-same",
                "Every mutating call from many callers at one moment",
                StormCases::same,
                SAME,
                "GEN-CONC-001",
                "GEN-CONC-003")
            .runAlone(),
        Case.of(
                "engine-concurrency-conflict",
                "Calls that exclude each other at one moment",
                StormCases::conflict,
                CONFLICT)
            .runAlone(),
        Case.of(
                "engine-concurrency-many",
                "Many volumes and snapshots at one moment",
                StormCases::many,
                MANY)
            .runAlone());
  }

  private static void same(CaseContext c) {
    Holdings before = Holdings.of(c, SAME);
    ReplayLife life = new ReplayLife(c);
    for (Step step : life.forth()) {
      storm(c, step);
    }
    before.mustHaveAdded(c, SAME, life.volumes(), life.snapshots());
    for (Step step : life.back()) {
      storm(c, step);
    }
    before.mustHaveAdded(c, SAME, Set.of(), Set.of());
  }

  private static void storm(CaseContext c, Step step) {
    Set<Message> answers = new HashSet<>();
    for (Outcome<Message> outcome : c.together(CALLERS, () -> step.call().apply(c))) {
      boolean right = outcome.ok() || outcome.code() == Status.Code.ABORTED;
      c.check(SAME, right, "OK or ABORTED for " + step.what(), outcome);
      c.check("GEN-CONC-001", right, "OK or ABORTED for " + step.what(), outcome);
      if (outcome.ok()) {
        answers.add(Stable.of(outcome.answer()));
      }
    }
    Message last = c.ok("GEN-CONC-003", () -> step.call().apply(c));
    answers.add(Stable.of(last));
    c.check(SAME, answers.size() == 1, "one answer to " + step.what(), answers);
  }

  /** What one side is refused with may be its own code, or that the other side is at work. */
  private static void conflict(CaseContext c) {
    c.needs("ctrl:CREATE_DELETE_VOLUME");
    for (int round = 0; round < ROUNDS; round++) {
      twoSizes(c);
      snapshotOfTheDying(c);
      if (c.advertises("service:Node")) {
        oneTarget(c);
      }
    }
  }

  private static void twoSizes(CaseContext c) {
    long size = c.settings().size();
    CreateVolumeRequest small =
        c.requests().volume().setCapacityRange(Requests.range(size, size)).build();
    long bytes = c.settings().expandSize();
    CreateVolumeRequest large =
        small.toBuilder().setCapacityRange(Requests.range(bytes, bytes)).build();
    List<Supplier<Volume>> calls = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      CreateVolumeRequest request = i % 2 == 0 ? small : large;
      calls.add(() -> c.controller().createVolume(request).getVolume());
    }
    Set<String> ids = new HashSet<>();
    for (Outcome<Volume> outcome : c.together(calls)) {
      if (outcome.ok()) {
        ids.add(outcome.answer().getVolumeId());
      }
      c.check(
          CONFLICT,
          switch (outcome.code()) {
            case OK, ABORTED, ALREADY_EXISTS, OUT_OF_RANGE -> true;
            default -> false;
          },
          "OK, ABORTED or ALREADY_EXISTS",
          outcome);
    }
    Outcome<Volume> ofSmall =
        Retries.outcome(c, () -> c.controller().createVolume(small).getVolume());
    Outcome<Volume> ofLarge =
        Retries.outcome(c, () -> c.controller().createVolume(large).getVolume());
    c.check(
        CONFLICT,
        ofSmall.ok() != ofLarge.ok(),
        "one of two sizes for one name",
        ofSmall + " and " + ofLarge);
    ids.add((ofSmall.ok() ? ofSmall : ofLarge).answer().getVolumeId());
    c.check(CONFLICT, ids.size() == 1, "one volume for one name", ids);
  }

  private static void snapshotOfTheDying(CaseContext c) {
    if (!c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      return;
    }
    String id = c.make().volume().getVolumeId();
    CreateSnapshotRequest cut = c.requests().snapshot(id).build();
    List<Outcome<Object>> outcomes =
        c.together(
            List.of(
                () -> DeleteVolumeCases.delete(c, id),
                () -> c.controller().createSnapshot(cut).getSnapshot()));
    Outcome<Object> snapshot = outcomes.get(1);
    c.check(
        CONFLICT,
        switch (outcomes.get(0).code()) {
          case OK, ABORTED, FAILED_PRECONDITION -> true;
          default -> false;
        },
        "OK, ABORTED or FAILED_PRECONDITION for the deletion",
        outcomes.get(0));
    c.check(
        CONFLICT,
        switch (snapshot.code()) {
          case OK, ABORTED, NOT_FOUND -> true;
          default -> false;
        },
        "OK, ABORTED or NOT_FOUND for the snapshot",
        snapshot);
    if (snapshot.ok() && snapshot.answer() instanceof Snapshot made) {
      // A snapshot that was answered is one that can be restored, whatever became of its source.
      Outcome<?> restored =
          Patience.until(
              c.settings().callTimeout(),
              () ->
                  Outcome.of(
                      () ->
                          CreateVolumeCases.createVolume(
                              c, SnapshotCases.from(c, made.getSnapshotId()))),
              one -> one.ok() || !Retries.nonFinal(one.code()));
      c.check(CONFLICT, restored.ok(), "a snapshot that can be restored", restored);
    }
  }

  private static void oneTarget(CaseContext c) {
    NodeWork node = c.make().onNode();
    OnNode one = node.stage(c.make().volume(), c.requests().capability());
    OnNode other = node.stage(c.make().volume(), c.requests().capability());
    String target = node.targetPath();
    List<Supplier<Object>> calls = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      OnNode which = i % 2 == 0 ? one : other;
      calls.add(() -> c.node().nodePublishVolume(which.publishRequest(target).build()));
    }
    Set<Integer> winners = new HashSet<>();
    List<Outcome<Object>> outcomes = c.together(calls);
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i).ok()) {
        winners.add(i % 2);
      }
    }
    c.check(CONFLICT, winners.size() <= 1, "one volume at one target", outcomes);
    long mounts = SeenMounts.count(target);
    c.check(CONFLICT, mounts <= 1, "one mount at one target", mounts + " mounts");
    OnNode winner = winners.contains(1) ? other : one;
    Retries.answer(
        c, CONFLICT, () -> c.node().nodeUnpublishVolume(winner.unpublishRequest(target)));
    c.check(CONFLICT, !SeenMounts.isMounted(target), "nothing mounted then", target);
  }

  private static void many(CaseContext c) {
    c.needs("ctrl:CREATE_DELETE_VOLUME");
    Holdings before = Holdings.of(c, MANY);
    List<Supplier<Volume>> calls = new ArrayList<>();
    for (int i = 0; i < VOLUMES; i++) {
      CreateVolumeRequest request = c.requests().volume().build();
      calls.add(
          () -> Retries.answer(c, MANY, () -> c.controller().createVolume(request).getVolume()));
    }
    Set<String> volumes =
        c.together(calls).stream()
            .map(outcome -> outcome.answer().getVolumeId())
            .collect(Collectors.toSet());
    c.same(MANY, VOLUMES, volumes.size());
    before.mustHaveAdded(c, MANY, volumes, Set.of());
    if (c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      List<Supplier<Snapshot>> cuts = new ArrayList<>();
      for (String id : volumes) {
        CreateSnapshotRequest request = c.requests().snapshot(id).build();
        cuts.add(
            () ->
                Retries.answer(
                    c, MANY, () -> c.controller().createSnapshot(request).getSnapshot()));
      }
      Set<String> snapshots =
          c.together(cuts).stream()
              .map(outcome -> outcome.answer().getSnapshotId())
              .collect(Collectors.toSet());
      c.same(MANY, VOLUMES, snapshots.size());
      before.mustHaveAdded(c, MANY, volumes, snapshots);
      all(c, snapshots, id -> SnapshotCases.delete(c, id));
    }
    all(c, volumes, id -> DeleteVolumeCases.delete(c, id));
    before.mustHaveAdded(c, MANY, Set.of(), Set.of());
  }

  private static void all(
      CaseContext c, Set<String> ids, java.util.function.Function<String, Object> deletion) {
    List<Supplier<Object>> calls = new ArrayList<>();
    ids.forEach(id -> calls.add(() -> Retries.answer(c, MANY, () -> deletion.apply(id))));
    c.together(calls);
  }
}
