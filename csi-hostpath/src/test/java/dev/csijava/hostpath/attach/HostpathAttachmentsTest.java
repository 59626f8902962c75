package dev.csijava.hostpath.attach;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.mount.MountOptions;
import dev.csijava.hostpath.settings.AttachSettings;
import dev.csijava.hostpath.state.Attachment;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostpathAttachmentsTest {
  private static final FakeCall CALL = new FakeCall();
  private final TestState test = new TestState();
  private final AttachedNodes attached = new AttachedNodes(true, "node-1");
  private final Record volume = volume("one");

  private Record volume(String name) {
    return test.state()
        .volumes()
        .create(
            Record.newBuilder()
                .setName(name)
                .setSizeBytes(1)
                .setBacking(Backing.DIRECTORY)
                .setVolume(VolumeDetails.newBuilder().putContext("tier", "gold"))
                .build(),
            Files::createDirectory);
  }

  private HostpathAttachments attachments(long limit) {
    return attachments(new AttachSettings(true, 0, limit));
  }

  private HostpathAttachments attachments(AttachSettings settings) {
    return new HostpathAttachments(test.state().volumes(), test.uses(), "node-1", settings);
  }

  private ControllerPublishVolumeRequest.Builder publish(String volumeId) {
    return ControllerPublishVolumeRequest.newBuilder()
        .setVolumeId(volumeId)
        .setNodeId("node-1")
        .setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_WRITER));
  }

  private void attach(ControllerPublishVolumeRequest.Builder request) {
    assertThat(attachments(0).controllerPublishVolume(request.build(), CALL).getPublishContextMap())
        .isEmpty();
  }

  private void detach(String volumeId, String nodeId) {
    detach(attachments(0), volumeId, nodeId);
  }

  private static void detach(HostpathAttachments from, String volumeId, String nodeId) {
    from.controllerUnpublishVolume(
        ControllerUnpublishVolumeRequest.newBuilder()
            .setVolumeId(volumeId)
            .setNodeId(nodeId)
            .build(),
        CALL);
  }

  private void refused(Status.Code code, ControllerPublishVolumeRequest.Builder request) {
    List<String> before = nodes();
    assertFails(code, () -> attach(request));
    assertThat(nodes()).isEqualTo(before);
  }

  private List<String> nodes() {
    return attached.of(test.state().volumes().byId(volume.getId()).orElseThrow());
  }

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void anAttachedVolumeIsAttachedAfterARestartToo() {
    attach(publish(volume.getId()));
    attach(publish(volume.getId()));

    assertThat(nodes()).containsExactly("node-1");
    test.restart();
    assertThat(nodes()).containsExactly("node-1");
    detach(volume.getId(), "node-1");
    test.restart();
    assertThat(nodes()).isEmpty();
  }

  /** CTRL-PUB-005, -006, -014, -021. */
  @Test
  void whatIsUnknownOrCantBeIsRefused() {
    refused(Status.Code.NOT_FOUND, publish("vol-none"));
    refused(Status.Code.NOT_FOUND, publish(volume.getId()).setNodeId("node-2"));
    refused(
        Status.Code.INVALID_ARGUMENT, publish(volume.getId()).putVolumeContext("tier", "silver"));
    refused(
        Status.Code.INVALID_ARGUMENT,
        publish(volume.getId())
            .setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_WRITER, "no-such-flag")));
  }

  /** CTRL-PUB-007, -008, -009. */
  @Test
  void anotherUseOfAnAttachedVolumeIsRefused() {
    attach(publish(volume.getId()));

    refused(Status.Code.ALREADY_EXISTS, publish(volume.getId()).setReadonly(true));
    refused(
        Status.Code.ALREADY_EXISTS,
        publish(volume.getId()).setVolumeCapability(Requests.mount(Mode.MULTI_NODE_MULTI_WRITER)));
    attach(
        publish(volume.getId()).setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER)));
  }

  /** CTRL-PUB-010, -011, -012. */
  @Test
  void aVolumeForOneNodeThatAnotherNodeHasIsRefusedByItsName() {
    elsewhere(Mode.SINGLE_NODE_WRITER);

    assertThat(
            assertFails(
                Status.Code.FAILED_PRECONDITION,
                () ->
                    attach(
                        publish(volume.getId())
                            .setVolumeCapability(Requests.mount(Mode.MULTI_NODE_MULTI_WRITER)))))
        .hasMessageContaining("old-node");
  }

  @Test
  void aVolumeForManyNodesIsAttachedBesideAnotherNode() {
    elsewhere(Mode.MULTI_NODE_MULTI_WRITER);
    attach(
        publish(volume.getId()).setVolumeCapability(Requests.mount(Mode.MULTI_NODE_MULTI_WRITER)));

    assertThat(nodes()).containsExactly("old-node", "node-1");
    detach(volume.getId(), "node-1");
    assertThat(nodes()).as("others keep theirs, CTRL-UNPUB-007").containsExactly("old-node");
    attach(
        publish(volume.getId()).setVolumeCapability(Requests.mount(Mode.MULTI_NODE_MULTI_WRITER)));
    detach(volume.getId(), "");
    assertThat(nodes()).as("no node id means all, CTRL-UNPUB-008").isEmpty();
  }

  /** As a state directory has it that came from another node. */
  private void elsewhere(Mode mode) {
    test.state()
        .volumes()
        .update(
            volume.getId(),
            r -> {
              Record.Builder changed = r.toBuilder();
              changed
                  .getVolumeBuilder()
                  .addAttachments(
                      Attachment.newBuilder()
                          .setNodeId("old-node")
                          .setCapability(Requests.mount(mode)));
              return changed.build();
            });
  }

  /** CTRL-UNPUB-003 to -006. */
  @Test
  void whatIsNotAttachedOrUnknownIsDetachedAlready() {
    detach(volume.getId(), "node-1");
    detach(volume.getId(), "node-2");
    detach("vol-none", "node-1");
    detach("../../etc", "");
  }

  /** The flag is {@code --check-volume-lifecycle}; there it is INTERNAL. */
  @Test
  void aVolumeInUseStaysAttachedOnlyWhereThatIsAskedFor() throws IOException {
    HostpathAttachments checked = attachments(new AttachSettings(true, 0, 0, true));
    Path target = Files.createDirectories(test.root().resolveSibling("target"));
    attach(publish(volume.getId()));
    test.kernel().bind(test.state().volumes().data(volume), target, MountOptions.of());

    for (String node : List.of("node-1", "")) {
      assertThat(
              assertFails(
                  Status.Code.FAILED_PRECONDITION, () -> detach(checked, volume.getId(), node)))
          .hasMessageContaining("/target");
    }
    detach(checked, volume.getId(), "node-2");
    assertThat(nodes()).containsExactly("node-1");
    detach(volume.getId(), "node-1");
    assertThat(nodes()).isEmpty();
    detach(checked, volume.getId(), "node-1");

    attach(publish(volume.getId()));
    test.kernel().lose(target);
    detach(checked, volume.getId(), "node-1");
    assertThat(nodes()).isEmpty();
  }

  /** CTRL-PUB-013. */
  @Test
  void callsSideBySideNeverAttachMoreThanTheLimit() throws Exception {
    List<Record> volumes = IntStream.range(0, 20).mapToObj(i -> volume("v" + i)).toList();
    HostpathAttachments limited = attachments(7);
    List<Callable<Boolean>> calls =
        volumes.stream()
            .<Callable<Boolean>>map(
                v ->
                    () -> {
                      try {
                        limited.controllerPublishVolume(publish(v.getId()).build(), CALL);
                        return true;
                      } catch (dev.csijava.core.CsiException e) {
                        assertThat(e.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
                        return false;
                      }
                    })
            .toList();
    int done = 0;
    try (var pool = Executors.newFixedThreadPool(8)) {
      for (Future<Boolean> result : pool.invokeAll(calls)) {
        done += result.get() ? 1 : 0;
      }
    }

    assertThat(done).isEqualTo(7);
  }

  @Test
  void aLimitThatIsRandomIsReportedFromOneToTenAndNotKeptTo() {
    AttachSettings random = new AttachSettings(true, 3, -1);

    assertThat(random.enforced()).isEmpty();
    assertThat(IntStream.range(0, 200).mapToLong(i -> random.reported().getAsLong()).distinct())
        .hasSizeGreaterThan(3)
        .allMatch(limit -> limit >= 1 && limit <= 10);
    assertThat(new AttachSettings(true, 3, 0).reported().getAsLong()).isEqualTo(3);
    assertThat(new AttachSettings(true, 3, 5).enforced()).hasValue(5);
  }
}
