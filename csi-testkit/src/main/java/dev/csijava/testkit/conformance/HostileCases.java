package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.conformance.HostileText.Change;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The hostile engine: what no honest caller sends. */
final class HostileCases implements CaseGroup {
  private static final String TEXTS = "ENGINE-HOSTILE-001";
  private static final String NUMBERS = "ENGINE-HOSTILE-002";
  private static final String PATHS = "ENGINE-HOSTILE-003";
  private static final String BYTES = "ENGINE-HOSTILE-004";
  private static final String AFTERWARDS = "ENGINE-HOSTILE-005";
  private static final Duration IN_TIME = Duration.ofSeconds(15);
  private static final int MOST_TEXTS_EACH = 16;
  private static final int MOST_NUMBERS_EACH = 6;
  private static final int TEXTS_PER_REPETITION = 5;
  private static final int NUMBERS_PER_REPETITION = 2;
  private static final String KEPT = "not the driver's to touch";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
                "engine-hostile-fields",
                "Hostile values in every field of every request",
                HostileCases::fields,
                TEXTS,
                NUMBERS,
                AFTERWARDS)
            .runAlone(),
        Case.of(
                "engine-hostile-paths",
                "Paths and ids that lead elsewhere",
                HostileCases::paths,
                PATHS)
            .runAlone(),
        Case.of(
                "engine-hostile-bytes",
                "Bytes that are no message",
                HostileCases::bytes,
                BYTES,
                AFTERWARDS)
            .runAlone());
  }

  private static void fields(CaseContext context) {
    long seed = context.settings().seed();
    Random random = new Random(seed);
    CaseContext c = context.calling(false, IN_TIME);
    HostileRequests honest = new HostileRequests(c);
    int repetitions = context.settings().repetitions();
    int textsEach = Math.min(MOST_TEXTS_EACH, TEXTS_PER_REPETITION * repetitions);
    int numbersEach = Math.min(MOST_NUMBERS_EACH, NUMBERS_PER_REPETITION * repetitions);
    for (CsiRpc rpc : ServedRpcs.of(c)) {
      Message request = honest.of(rpc);
      List<Change> texts = HostileText.texts(request);
      Collections.shuffle(texts, random);
      for (Change change : texts.subList(0, Math.min(textsEach, texts.size()))) {
        send(c, TEXTS, rpc, change, honest.of(rpc));
      }
      List<Change> numbers = HostileText.numbers(request);
      Collections.shuffle(numbers, random);
      for (Change change : numbers.subList(0, Math.min(numbersEach, numbers.size()))) {
        send(c, NUMBERS, rpc, change, honest.of(rpc));
      }
    }
    context.note(TEXTS, "--seed " + seed);
    afterwards(context);
  }

  private static void send(CaseContext c, String row, CsiRpc rpc, Change change, Message honest) {
    Message spoilt = change.make().apply(honest);
    Outcome<?> outcome = Outcome.of(() -> rpc.call(c.channel(rpc.service()), spoilt));
    c.check(
        row,
        ownStatus(outcome.code()),
        "a status of the driver's own for " + rpc.title() + " with " + change.what(),
        outcome);
  }

  /** Codes that the library, the client or the lack of a handler gives in the driver's place. */
  private static boolean ownStatus(Status.Code code) {
    return switch (code) {
      case UNKNOWN, UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, DATA_LOSS, UNIMPLEMENTED -> false;
      default -> true;
    };
  }

  private static void afterwards(CaseContext c) {
    c.ok(AFTERWARDS, () -> c.identity().probe(ProbeRequest.getDefaultInstance()));
    if (c.advertises("ctrl:CREATE_DELETE_VOLUME")) {
      Volume volume =
          c.ok(AFTERWARDS, () -> c.controller().createVolume(c.requests().volume().build()))
              .getVolume();
      if (c.advertises("service:Node")) {
        NodeWork node = c.make().onNode();
        OnNode onNode = node.attach(volume, c.requests().capability());
        if (!onNode.stagingPath().isEmpty()) {
          c.ok(AFTERWARDS, () -> c.node().nodeStageVolume(onNode.stageRequest().build()));
        }
        String target = node.targetPath();
        c.ok(AFTERWARDS, () -> c.node().nodePublishVolume(onNode.publishRequest(target).build()));
        node.unpublish(onNode, target);
        node.remove(onNode);
      }
      c.ok(AFTERWARDS, () -> DeleteVolumeCases.delete(c, volume.getVolumeId()));
    }
  }

  private static void paths(CaseContext context) throws IOException {
    CaseContext c = context.calling(false, IN_TIME);
    NodeWork node = c.make().onNode();
    node.needFiles();
    Path decoy = Path.of(node.targetPath());
    Path kept = decoy.resolve("kept");
    Path link = decoy.resolveSibling("link");
    Files.createDirectory(decoy);
    try {
      Files.writeString(kept, KEPT);
      Files.createSymbolicLink(link, decoy);
      if (c.advertises("ctrl:CREATE_DELETE_VOLUME")) {
        ids(c, decoy, kept);
      }
      if (c.advertises("service:Node")) {
        targets(c, node, decoy, link, kept);
      }
    } finally {
      Files.deleteIfExists(link);
      Files.deleteIfExists(kept);
      Files.deleteIfExists(decoy);
    }
  }

  /** Ids that would be the decoy's path to whoever appends them to a directory of his. */
  private static void ids(CaseContext c, Path decoy, Path kept) {
    String up = "../".repeat(24);
    for (String id : List.of(up + decoy.toString().substring(1), decoy.toString())) {
      Outcome.of(() -> DeleteVolumeCases.delete(c, id));
      untouched(c, "DeleteVolume", kept);
      if (c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
        Outcome.of(
            () ->
                c.controller()
                    .deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build()));
        untouched(c, "DeleteSnapshot", kept);
      }
    }
  }

  private static void targets(CaseContext c, NodeWork node, Path decoy, Path link, Path kept) {
    OnNode volume = NodeSteps.staged(c);
    String published = node.publish(volume);
    String id = volume.volume().getVolumeId();
    for (Path path : List.of(decoy, link, kept, decoy.resolve("x/../../mount"))) {
      Outcome.of(() -> NodeSteps.unpublish(c, id, path.toString()));
      untouched(c, "NodeUnpublishVolume", kept);
      Outcome.of(() -> NodeSteps.unpublish(c, c.requests().unknownId(), path.toString()));
      untouched(c, "NodeUnpublishVolume of an unknown volume", kept);
      if (!volume.stagingPath().isEmpty()) {
        Outcome.of(() -> NodeSteps.unstage(c, id, path.toString()));
        untouched(c, "NodeUnstageVolume", kept);
      }
    }
    node.unpublish(volume, published);
  }

  private static void untouched(CaseContext c, String rpc, Path kept) {
    String there;
    try {
      there = Files.readString(kept);
    } catch (IOException e) {
      there = e.toString();
    }
    c.check(PATHS, there.equals(KEPT), "a file that " + rpc + " leaves alone", there);
  }

  private static void bytes(CaseContext context) {
    Random random = new Random(context.settings().seed());
    for (CsiRpc rpc : ServedRpcs.of(context)) {
      for (byte[] garbage : RawCalls.garbage(random)) {
        Status.Code code = RawCalls.send(context.bareChannel(rpc.service()), rpc, garbage, IN_TIME);
        context.check(
            BYTES,
            code != Status.Code.UNAVAILABLE && code != Status.Code.DEADLINE_EXCEEDED,
            "an answer to " + garbage.length + " bytes that are no " + rpc.title() + "Request",
            code);
      }
    }
    context.note(BYTES, "--seed " + context.settings().seed());
    afterwards(context);
  }
}
