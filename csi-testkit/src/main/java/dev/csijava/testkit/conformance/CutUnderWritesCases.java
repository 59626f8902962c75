package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * A group snapshot while the kit writes: one writer counts up, in one volume and then in the other,
 * so that a cut at one point finds both at one number, or the first one ahead by one.
 */
final class CutUnderWritesCases implements CaseGroup {
  private static final String FILE = "csi-testkit-count";
  private static final long WRITES_FIRST = 20;
  private static final long PATIENCE_MILLIS = 10_000;

  @Override
  public List<Case> cases() {
    return List.of(Case.of("GROUP-CREATE-010", CutUnderWritesCases::cut));
  }

  private static void cut(CaseContext c) throws InterruptedException {
    c.needs("service:Node");
    Volume one = c.make().volume();
    Volume two = c.make().volume();
    NodeWork node = c.make().onNode();
    OnNode first = node.stage(one, c.requests().capability());
    OnNode second = node.stage(two, c.requests().capability());
    String firstTarget = node.publish(first);
    String secondTarget = node.publish(second);
    NodeSteps.needMount(c, firstTarget);
    NodeSteps.needMount(c, secondTarget);
    Writer writer = new Writer(file(c, firstTarget), file(c, secondTarget));
    Thread thread = new Thread(writer, "csi-testkit-writer");
    thread.setDaemon(true);
    thread.start();
    Outcome<VolumeGroupSnapshot> outcome;
    try {
      writer.awaitCount(WRITES_FIRST);
      outcome =
          Outcome.of(
              () ->
                  c.group()
                      .createVolumeGroupSnapshot(
                          c.requests().group(List.of(one.getVolumeId(), two.getVolumeId())).build())
                      .getGroupSnapshot());
    } finally {
      writer.stop.set(true);
      thread.join(PATIENCE_MILLIS);
    }
    node.unpublish(first, firstTarget);
    node.unpublish(second, secondTarget);
    c.need(writer.failure.isEmpty(), "the kit could not write: " + writer.failure);
    if (!outcome.ok()) {
      c.check(true, "one point, or a refusal", outcome);
      c.note("GROUP-CREATE-010", "seen: " + outcome.code());
      return;
    }
    VolumeGroupSnapshot group = outcome.answer();
    Map<String, String> members =
        group.getSnapshotsList().stream()
            .collect(Collectors.toMap(Snapshot::getSourceVolumeId, Snapshot::getSnapshotId));
    Optional<Long> inOne = count(c, String.valueOf(members.get(one.getVolumeId())));
    Optional<Long> inTwo = count(c, String.valueOf(members.get(two.getVolumeId())));
    c.need(inOne.isPresent() && inTwo.isPresent(), "the restored volumes can't be looked into");
    long ahead = inOne.orElse(0L) - inTwo.orElse(0L);
    c.check(
        ahead == 0 || ahead == 1,
        "both members at one number, or the first one ahead by one",
        inOne + " and " + inTwo);
  }

  private static Path file(CaseContext c, String target) {
    boolean block = c.settings().accessType() == Settings.AccessType.BLOCK;
    return block ? Path.of(target) : Path.of(target).resolve(FILE);
  }

  private static Optional<Long> count(CaseContext c, String snapshotId) {
    Volume restored = c.make().volume(SnapshotCases.from(c, snapshotId).build());
    return Content.published(c, restored, target -> read(file(c, target.toString())));
  }

  private static long read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int read = 0;
      while (bytes.hasRemaining() && read >= 0) {
        read = channel.read(bytes, bytes.position());
      }
    }
    return bytes.getLong(0);
  }

  /** Counts up in two files, each time durably. */
  private static final class Writer implements Runnable {
    private final Path one;
    private final Path two;
    private final AtomicBoolean stop = new AtomicBoolean();
    private volatile long count;
    private volatile String failure = "";

    Writer(Path one, Path two) {
      this.one = one;
      this.two = two;
    }

    @Override
    public void run() {
      try (FileChannel first = open(one);
          FileChannel second = open(two)) {
        for (long next = 1; !stop.get(); next++) {
          write(first, next);
          write(second, next);
          count = next;
        }
      } catch (IOException | UncheckedIOException e) {
        failure = e.toString();
      }
    }

    private static FileChannel open(Path file) throws IOException {
      return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    }

    private static void write(FileChannel channel, long value) throws IOException {
      channel.write(ByteBuffer.allocate(Long.BYTES).putLong(0, value), 0);
      channel.force(true);
    }

    void awaitCount(long least) throws InterruptedException {
      for (long waited = 0; count < least && failure.isEmpty() && waited < PATIENCE_MILLIS; ) {
        Thread.sleep(10);
        waited += 10;
      }
    }
  }
}
