package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeResponse;
import io.grpc.Status;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private final Ledger ledger = new Ledger(new Others(Set.of(), Set.of(), ""));

  /** A driver may say OK to what is about no volume of its, and touches nothing then. */
  @Test
  void okForOneVolumeSaysNothingOfAnotherAtThatPath() {
    ended(
        NodeStageVolumeRequest.newBuilder().setVolumeId("one").setStagingTargetPath("/s").build(),
        NodeStageVolumeResponse.getDefaultInstance());
    ended(
        NodePublishVolumeRequest.newBuilder().setVolumeId("one").setTargetPath("/t").build(),
        NodePublishVolumeResponse.getDefaultInstance());
    back("unknown");
    assertThat(ledger.held()).containsExactly("staging /s of one", "target /t of one");
    back("one");
    assertThat(ledger.held()).isEmpty();
  }

  /** A driver may work on when nobody waits for it any more. */
  @Test
  void whatWasGivenUpMayComeAfterItWasTakenBack() {
    ledger.observe(
        NodePublishVolumeRequest.newBuilder().setVolumeId("one").setTargetPath("/t").build(),
        List.of(),
        Status.DEADLINE_EXCEEDED);
    back("one");
    assertThat(ledger.held()).containsExactly("target /t of one by a call that was given up");
    ledger.entries().forEach(ledger::settle);
    assertThat(ledger.held()).isEmpty();
  }

  private void back(String volume) {
    ended(
        NodeUnpublishVolumeRequest.newBuilder().setVolumeId(volume).setTargetPath("/t").build(),
        NodeUnpublishVolumeResponse.getDefaultInstance());
    ended(
        NodeUnstageVolumeRequest.newBuilder()
            .setVolumeId(volume)
            .setStagingTargetPath("/s")
            .build(),
        NodeUnstageVolumeResponse.getDefaultInstance());
  }

  private void ended(Message request, Message response) {
    ledger.observe(request, List.of(response), Status.OK);
  }
}
