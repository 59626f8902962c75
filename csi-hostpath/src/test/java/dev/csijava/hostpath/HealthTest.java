package dev.csijava.hostpath;

import static dev.csijava.hostpath.DriverOnFakes.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.SpecVersion;
import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerServiceCapability.RPC;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.VolumeHealth;
import dev.csijava.spec.v1.VolumeHealthErrorType;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthTest {
  private DriverOnFakes driver;
  private String well;
  private String ill;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    driver = new DriverOnFakes(directory);
    ill = driver.create("ill").getVolumeId();
    Files.delete(driver.onlyData());
    well = driver.create("well").getVolumeId();
  }

  @AfterEach
  void stop() throws IOException {
    driver.close();
  }

  @Test
  void aVolumeWhoseDataIsGoneIsAbnormalInEveryAnswer() {
    for (ListVolumesResponse.Entry entry :
        driver.controller().listVolumes(ListVolumesRequest.getDefaultInstance()).getEntriesList()) {
      assertThat(entry.getStatus().getVolumeCondition().getAbnormal())
          .isEqualTo(entry.getVolume().getVolumeId().equals(ill));
    }
    assertThat(
            driver
                .controller()
                .controllerGetVolume(
                    ControllerGetVolumeRequest.newBuilder().setVolumeId(ill).build())
                .getStatus()
                .getVolumeCondition()
                .getMessage())
        .contains("DirectoryMissing");
  }

  @Test
  void theCallsOfTheNewerVersionListOnlyWhatIsIll() throws IOException {
    driver.restart(s -> s.withServed(s.mode(), SpecVersion.V1_13));

    assertThat(
            driver
                .controller()
                .controllerListVolumeHealth(ControllerListVolumeHealthRequest.getDefaultInstance())
                .getEntriesList())
        .extracting(VolumeHealth::getVolumeId)
        .containsExactly(ill);
    assertThat(health(ill).getHealthStatuses(0).getStatus())
        .isEqualTo(VolumeHealthErrorType.DATA_LOSS);
    assertThat(health(well).getHealthStatusesList()).isEmpty();
    assertFails(Status.Code.NOT_FOUND, () -> health("vol-none"));
    assertThat(driver.node().nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance()))
        .isNotNull();
    assertThat(capabilities())
        .contains(RPC.Type.GET_VOLUME_HEALTH, RPC.Type.LIST_VOLUME_HEALTH)
        .doesNotContain(RPC.Type.VOLUME_CONDITION);
  }

  private VolumeHealth health(String volumeId) {
    return driver
        .controller()
        .controllerGetVolumeHealth(
            ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(volumeId).build())
        .getVolumeHealth();
  }

  private List<RPC.Type> capabilities() {
    return driver
        .controller()
        .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .stream()
        .map(capability -> capability.getRpc().getType())
        .toList();
  }
}
