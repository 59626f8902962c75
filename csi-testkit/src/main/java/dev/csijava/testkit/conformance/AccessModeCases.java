package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.CreateVolumeCases.createVolume;
import static dev.csijava.testkit.conformance.CreateVolumeCases.volume;

import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What access modes promise on one node. */
final class AccessModeCases implements CaseGroup {
  private static final String NODE = "node:SINGLE_NODE_MULTI_WRITER";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("GEN-MODE-002", AccessModeCases::readerOnly),
        Case.of(
            "GEN-MODE-006",
            c -> {
              c.needs(NODE);
              NodeWork node = c.make().onNode();
              NodeWork.OnNode onNode = staged(c, Mode.SINGLE_NODE_SINGLE_WRITER);
              node.publish(onNode);
              var second = onNode.publishRequest(node.targetPath()).build();
              c.refused(() -> c.node().nodePublishVolume(second));
            }),
        Case.of(
            "GEN-MODE-007",
            c -> {
              c.needs(NODE);
              NodeWork node = c.make().onNode();
              NodeWork.OnNode onNode = staged(c, Mode.SINGLE_NODE_MULTI_WRITER);
              for (int i = 0; i < 3; i++) {
                var request = onNode.publishRequest(node.targetPath()).build();
                c.ok(() -> c.node().nodePublishVolume(request));
              }
              onNoOtherNode(c, onNode);
            }),
        Case.of(
            "GEN-MODE-008",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              VolumeCapability old = c.requests().capability(Mode.SINGLE_NODE_WRITER);
              c.ok(
                  () ->
                      createVolume(
                          c, volume(c).clearVolumeCapabilities().addVolumeCapabilities(old)));
            }),
        Case.of(
            "GEN-MODE-009",
            c -> {
              NodeWork node = c.make().onNode();
              NodeWork.OnNode onNode = staged(c, Mode.SINGLE_NODE_WRITER);
              var request = onNode.publishRequest(node.targetPath()).build();
              c.ok(() -> c.node().nodePublishVolume(request));
            }),
        Case.of(
            "CTRL-CAPS-006",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              List<Outcome<Volume>> outcomes = new ArrayList<>();
              for (Mode mode :
                  List.of(Mode.SINGLE_NODE_SINGLE_WRITER, Mode.SINGLE_NODE_MULTI_WRITER)) {
                VolumeCapability finer = c.requests().capability(mode);
                outcomes.add(
                    Outcome.of(
                        () ->
                            createVolume(
                                c,
                                volume(c).clearVolumeCapabilities().addVolumeCapabilities(finer))));
              }
              c.check(outcomes.stream().anyMatch(Outcome::ok), "one of the finer modes", outcomes);
            }));
  }

  private static void readerOnly(CaseContext c) throws IOException {
    c.needs("service:Node");
    c.need(c.settings().accessType() == Settings.AccessType.MOUNT, "the cases use block volumes");
    NodeWork node = c.make().onNode();
    node.needFiles();
    VolumeCapability reader = c.requests().capability(Mode.SINGLE_NODE_READER_ONLY);
    Volume volume = c.make().supportedVolume(reader, "volumes for one reader");
    NodeWork.OnNode onNode = node.stage(volume, reader);
    String target = node.publish(onNode);
    c.need(SeenMounts.isMounted(target), "the mounts of the driver can't be seen from here");
    boolean written = canWrite(Path.of(target));
    c.check(!written, "no file can be written", "a file was written");
    var second = onNode.publishRequest(node.targetPath()).build();
    c.refused(() -> c.node().nodePublishVolume(second));
  }

  private static void onNoOtherNode(CaseContext c, NodeWork.OnNode onNode) {
    String other = c.settings().secondNodeId().orElse("");
    if (!other.isEmpty() && c.advertises("ctrl:PUBLISH_UNPUBLISH_VOLUME")) {
      var attach =
          c.requests()
              .attach(onNode.volume())
              .setVolumeCapability(onNode.capability())
              .setNodeId(other)
              .build();
      Outcome<?> elsewhere = Outcome.of(() -> c.controller().controllerPublishVolume(attach));
      c.check(!elsewhere.ok(), "no attachment to another node", elsewhere);
    }
  }

  private static boolean canWrite(Path directory) throws IOException {
    Path file = directory.resolve("csi-testkit-write");
    try {
      Files.createFile(file);
    } catch (IOException e) {
      return false;
    }
    Files.delete(file);
    return true;
  }

  private static NodeWork.OnNode staged(CaseContext c, Mode mode) {
    VolumeCapability capability = c.requests().capability(mode);
    Volume volume = c.make().supportedVolume(capability, "volumes of mode " + mode);
    return c.make().onNode().stage(volume, capability);
  }
}
