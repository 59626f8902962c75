package dev.csijava.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import org.junit.jupiter.api.Test;

/** Names that existing dashboards look for. */
class GrpcNamesTest {
  @Test
  void methodsAreFullAndUnknownOnesStayAsTheyAre() {
    assertThat(GrpcNames.method("NodeStageVolume")).isEqualTo("/csi.v1.Node/NodeStageVolume");
    assertThat(GrpcNames.method("GetMetadataDelta"))
        .isEqualTo("/csi.v1.SnapshotMetadata/GetMetadataDelta");
    assertThat(GrpcNames.method("CreateVolumeGroupSnapshot"))
        .isEqualTo("/csi.v1.GroupController/CreateVolumeGroupSnapshot");
    assertThat(GrpcNames.method("Else")).isEqualTo("Else");
  }

  @Test
  void codesAreWrittenAsGoWritesThem() {
    assertThat(GrpcNames.code(Status.Code.OK)).isEqualTo("OK");
    assertThat(GrpcNames.code(Status.Code.CANCELLED)).isEqualTo("Canceled");
    assertThat(GrpcNames.code(Status.Code.DEADLINE_EXCEEDED)).isEqualTo("DeadlineExceeded");
    assertThat(GrpcNames.code(Status.Code.NOT_FOUND)).isEqualTo("NotFound");
    assertThat(GrpcNames.code(Status.Code.INTERNAL)).isEqualTo("Internal");
  }
}
