package dev.csijava.examples.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeCapability.MountVolume;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is offered, and what a node learns of an attachment. */
class UseTest {
  @Test
  void theModesForOneNodeThatWriteAreOneUse() {
    assertThat(Use.of(Caller.block(Mode.SINGLE_NODE_MULTI_WRITER)))
        .isEqualTo(Use.of(Caller.block(Mode.SINGLE_NODE_WRITER)))
        .isPresent();
  }

  @Test
  void fileSystemsAndWritersOnManyNodesAreNotOffered() {
    VolumeCapability mount =
        Caller.WRITER.toBuilder().setMount(MountVolume.getDefaultInstance()).build();

    assertThat(Use.of(mount)).isEmpty();
    assertThat(Use.of(Caller.block(Mode.MULTI_NODE_MULTI_WRITER))).isEmpty();
    assertThat(Use.of(Caller.block(Mode.MULTI_NODE_SINGLE_WRITER))).isEmpty();
  }

  @Test
  void whatIsAttachedReadOnlyIsReadOnlyOnTheNode() {
    Map<String, String> context = new Use(true, false).toPublishContext("node-1");

    assertThat(Use.onNode("node-1", Caller.WRITER, context).readOnly()).isTrue();
  }

  @Test
  void theNodeThatHasTheVolumeIsNamed() {
    Map<String, String> context = new Use(false, false).toPublishContext("node-1");

    assertThatThrownBy(() -> Use.onNode("node-2", Caller.WRITER, context))
        .isInstanceOf(CsiException.class)
        .hasMessageContaining("node-1");
  }
}
