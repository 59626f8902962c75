package dev.csijava.hostpath;

import static dev.csijava.hostpath.DriverOnFakes.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.Mode;
import dev.csijava.core.SpecVersion;
import dev.csijava.hostpath.settings.AttachSettings;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerServiceCapability.RPC;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.GetPluginCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.Volume;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdvertisedTest {
  private DriverOnFakes driver;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    driver = new DriverOnFakes(directory);
  }

  @AfterEach
  void stop() throws IOException {
    driver.close();
  }

  private List<RPC.Type> controller() {
    return driver
        .controller()
        .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .stream()
        .map(capability -> capability.getRpc().getType())
        .toList();
  }

  private List<PluginCapability.Service.Type> plugin() {
    return driver
        .client()
        .identity()
        .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .stream()
        .filter(PluginCapability::hasService)
        .map(capability -> capability.getService().getType())
        .toList();
  }

  private NodeGetInfoResponse info() {
    return driver.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
  }

  @Test
  void byDefaultItIsWhatTheGoDriverAdvertises() {
    assertThat(controller())
        .doesNotHaveDuplicates()
        .contains(
            RPC.Type.CREATE_DELETE_VOLUME,
            RPC.Type.GET_VOLUME,
            RPC.Type.GET_CAPACITY,
            RPC.Type.CREATE_DELETE_SNAPSHOT,
            RPC.Type.LIST_SNAPSHOTS,
            RPC.Type.GET_SNAPSHOT,
            RPC.Type.LIST_VOLUMES,
            RPC.Type.CLONE_VOLUME,
            RPC.Type.VOLUME_CONDITION,
            RPC.Type.SINGLE_NODE_MULTI_WRITER)
        .doesNotContain(
            RPC.Type.PUBLISH_UNPUBLISH_VOLUME, RPC.Type.MODIFY_VOLUME, RPC.Type.GET_VOLUME_HEALTH);
    assertThat(plugin())
        .contains(
            PluginCapability.Service.Type.CONTROLLER_SERVICE,
            PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE,
            PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
    assertThat(info().getMaxVolumesPerNode()).isZero();
  }

  @Test
  void whatIsTurnedOffIsNotAdvertised() throws IOException {
    driver.restart(TestSettings::withoutOptions);

    assertThat(controller()).doesNotContain(RPC.Type.LIST_SNAPSHOTS);
    assertThat(plugin())
        .doesNotContain(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
    assertThat(info().hasAccessibleTopology()).isFalse();
    assertThat(driver.create("one").getAccessibleTopologyList()).isEmpty();
  }

  @Test
  void whatIsTurnedOnIsAdvertised() throws IOException {
    driver.restart(
        s ->
            TestSettings.modifying(s.withAttach(new AttachSettings(true, 5, 0)))
                .withServed(Mode.ALL, SpecVersion.V1_13));

    assertThat(controller())
        .contains(
            RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
            RPC.Type.PUBLISH_READONLY,
            RPC.Type.LIST_VOLUMES_PUBLISHED_NODES,
            RPC.Type.MODIFY_VOLUME,
            RPC.Type.GET_VOLUME_HEALTH);
    assertThat(plugin()).contains(PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);
    assertThat(info().getMaxVolumesPerNode()).isEqualTo(5);
  }

  /** CTRL-CREATE-011: attributes are part of the match, also after they were changed. */
  @Test
  void attributesOfACreateArePartOfItsMatch() throws IOException {
    driver.restart(TestSettings::modifying);
    CreateVolumeRequest request = Requests.create("one").putMutableParams("tier", "gold").build();
    Volume made = driver.controller().createVolume(request).getVolume();
    assertThat(
            driver
                .controller()
                .controllerModifyVolume(
                    ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(made.getVolumeId())
                        .putMutableParams("tier", "silver")
                        .build()))
        .isNotNull();

    assertThat(driver.controller().createVolume(request).getVolume()).isEqualTo(made);
    assertFails(
        Status.Code.ALREADY_EXISTS,
        () ->
            driver
                .controller()
                .createVolume(request.toBuilder().putMutableParams("tier", "silver").build()));
  }

  @Test
  void aControllerServesNoNodeAndANodeNoController() throws IOException {
    driver.restart(s -> s.withServed(Mode.CONTROLLER, s.advertised()));
    assertThat(driver.create("one").getVolumeId()).isNotEmpty();
    assertFails(Status.Code.UNIMPLEMENTED, this::info);
    var all = plugin();

    driver.restart(s -> s.withServed(Mode.NODE, s.advertised()));
    assertFails(Status.Code.UNIMPLEMENTED, () -> driver.create("two"));
    assertThat(info().getNodeId()).isEqualTo("node-1");
    assertThat(plugin()).isEqualTo(all);
  }
}
