package dev.csijava.hostpath.controller;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.settings.ModifySettings;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import io.grpc.Status;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostpathModificationTest {
  private static final ModifySettings SOME =
      new ModifySettings(true, Optional.of(Set.of("iops", "tier")));
  private static final ModifySettings ANY = new ModifySettings(true, Optional.empty());

  private final TestState test = new TestState();
  private final Record volume =
      test.state()
          .volumes()
          .create(
              Record.newBuilder()
                  .setName("one")
                  .setSizeBytes(1)
                  .setBacking(Backing.DIRECTORY)
                  .setVolume(VolumeDetails.newBuilder().putAttributes("tier", "gold"))
                  .build(),
              Files::createDirectory);

  @AfterEach
  void close() {
    test.close();
  }

  private void modify(ModifySettings settings, String id, Map<String, String> parameters) {
    new HostpathModification(test.state().volumes(), settings)
        .controllerModifyVolume(
            ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId(id)
                .putAllMutableParams(parameters)
                .build(),
            new FakeCall());
  }

  private Map<String, String> attributes() {
    return test.state().volumes().byId(volume.getId()).orElseThrow().getVolume().getAttributesMap();
  }

  /** CTRL-MODIFY-007, -008, -009. */
  @Test
  void whatIsSetStaysAndWhatIsNotNamedKeepsItsValue() {
    modify(SOME, volume.getId(), Map.of("iops", "100"));
    modify(SOME, volume.getId(), Map.of("iops", "100"));

    assertThat(attributes()).isEqualTo(Map.of("iops", "100", "tier", "gold"));
    test.restart();
    assertThat(attributes()).isEqualTo(Map.of("iops", "100", "tier", "gold"));
  }

  /** CTRL-MODIFY-004, -005. */
  @Test
  void oneBadNameAmongGoodOnesChangesNothing() {
    assertThat(
            assertFails(
                Status.Code.INVALID_ARGUMENT,
                () -> modify(SOME, volume.getId(), Map.of("iops", "1", "colour", "red"))))
        .hasMessageContaining("colour");

    assertThat(attributes()).isEqualTo(Map.of("tier", "gold"));
    modify(ANY, volume.getId(), Map.of("colour", "red"));
    assertThat(attributes()).containsEntry("colour", "red");
  }

  @Test
  void aDiskThatFailsIsNoInvalidArgumentSinceTheResizerWouldStopTrying() {
    test.disk().failAt(0, "Input/output error");

    assertFails(Status.Code.INTERNAL, () -> modify(SOME, volume.getId(), Map.of("iops", "100")));

    test.disk().heal();
    assertThat(attributes()).isEqualTo(Map.of("tier", "gold"));
  }

  @Test
  void whatKubernetesAddsIsNobodysAttribute() {
    modify(SOME, volume.getId(), Map.of("iops", "1", "csi.storage.k8s.io/pvc/name", "claim"));

    assertThat(attributes()).isEqualTo(Map.of("iops", "1", "tier", "gold"));
  }

  /** CTRL-MODIFY-006. */
  @Test
  void anUnknownVolumeIsNotFoundWhateverItsAttributes() {
    assertFails(Status.Code.NOT_FOUND, () -> modify(SOME, "vol-none", Map.of("colour", "red")));
  }
}
