package dev.csijava.hostpath;

import static dev.csijava.hostpath.DriverOnFakes.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.testing.Requests;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.Volume;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Public bug reports that need no kernel; each test carries the report's id. */
class FieldBugsTest {
  private static final String KEY = "topology.hostpath.csi/node";

  private DriverOnFakes driver;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    driver = new DriverOnFakes(directory);
  }

  @AfterEach
  void stop() throws IOException {
    driver.close();
  }

  private static Topology node(String name) {
    return Topology.newBuilder().putSegments(KEY, name).build();
  }

  /** Fifty callers want one name: one volume, and the loser removes nothing of the winner. */
  @Test
  void b006ParallelCreatesOfOneNameMakeOneVolume() throws Exception {
    Set<String> ids = ConcurrentHashMap.newKeySet();
    Callable<Void> create =
        () -> {
          try {
            ids.add(driver.create("same").getVolumeId());
          } catch (StatusRuntimeException e) {
            assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
          }
          return null;
        };
    List<Callable<Void>> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      calls.add(create);
    }
    try (ExecutorService callers = Executors.newFixedThreadPool(50)) {
      for (Future<Void> call : callers.invokeAll(calls)) {
        call.get();
      }
    }
    assertThat(ids).hasSize(1);
    assertThat(
            driver
                .controller()
                .listVolumes(ListVolumesRequest.getDefaultInstance())
                .getEntriesList())
        .hasSize(1);
    assertThat(driver.onlyData()).isEmptyDirectory();
    driver.restart();
    assertThat(driver.create("same").getVolumeId()).isEqualTo(ids.iterator().next());
  }

  /** A promise that a bind mount can't keep is not made, and what asks for it is refused. */
  @Test
  void b121AGroupForTheMountIsNeitherOfferedNorTaken() throws IOException {
    assertThat(
            driver
                .node()
                .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList())
        .extracting(capability -> capability.getRpc().getType())
        .doesNotContain(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP);
    String id = driver.create("one").getVolumeId();
    var request = driver.stage(id);
    request.getVolumeCapabilityBuilder().getMountBuilder().setVolumeMountGroup("1002");
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () -> {
          var _ = driver.node().nodeStageVolume(request.build());
        });
  }

  /** A restore goes where the data is, and nowhere else; it says where that is. */
  @Test
  void b147B148ARestoreIsTiedToTheNodeOfItsSource() {
    String id = driver.create("one").getVolumeId();
    String snapshot =
        driver
            .controller()
            .createSnapshot(Requests.snapshot("cut", id).build())
            .getSnapshot()
            .getSnapshotId();
    CreateVolumeRequest.Builder restore =
        Requests.create("two").setVolumeContentSource(Requests.fromSnapshot(snapshot));
    CreateVolumeRequest.Builder elsewhere = restore.clone();
    elsewhere.getAccessibilityRequirementsBuilder().addRequisite(node("node-2"));
    assertFails(
        Status.Code.RESOURCE_EXHAUSTED,
        () -> {
          var _ = driver.controller().createVolume(elsewhere.build());
        });
    Volume restored = driver.controller().createVolume(restore.build()).getVolume();
    assertThat(restored.getAccessibleTopologyList()).containsExactly(node("node-1"));
    assertThat(restored.getContentSource()).isEqualTo(restore.getVolumeContentSource());
  }

  /** The first of the preferred places need not be this one, if this one is among them. */
  @Test
  void b150ANodeTakesWhatItMayAndRefusesTheRest() {
    CreateVolumeRequest.Builder both = Requests.create("both");
    both.getAccessibilityRequirementsBuilder()
        .addRequisite(node("node-0"))
        .addRequisite(node("node-1"))
        .addPreferred(node("node-0"))
        .addPreferred(node("node-1"));
    assertThat(
            driver.controller().createVolume(both.build()).getVolume().getAccessibleTopologyList())
        .containsExactly(node("node-1"));
    CreateVolumeRequest.Builder neither = Requests.create("neither");
    neither
        .getAccessibilityRequirementsBuilder()
        .addRequisite(node("node-0"))
        .addPreferred(node("node-0"));
    assertFails(
        Status.Code.RESOURCE_EXHAUSTED,
        () -> {
          var _ = driver.controller().createVolume(neither.build());
        });
  }
}
