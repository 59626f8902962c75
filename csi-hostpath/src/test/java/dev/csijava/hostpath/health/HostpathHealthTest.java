package dev.csijava.hostpath.health;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage;
import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.VolumeHealth;
import dev.csijava.spec.v1.VolumeHealth.VolumeHealthEntry;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostpathHealthTest {
  private static final FakeCall CALL = new FakeCall();
  private static final Path TARGET = Path.of("/pods/mount");

  private final TestState test = new TestState();
  private final Backings backings = test.machine().backings(test.state().volumes());
  private final HostpathHealth health = new HostpathHealth(test.state().volumes(), backings);
  private final HostpathNodeHealth nodeHealth =
      new HostpathNodeHealth(
          test.state().volumes(), backings, test.kernel(), (volume, path) -> path.equals(TARGET));

  @AfterEach
  void close() {
    test.close();
  }

  private Record volume(String name, Backing backing) {
    Record draft =
        Record.newBuilder()
            .setName(name)
            .setSizeBytes(4096)
            .setBacking(backing)
            .setVolume(VolumeDetails.getDefaultInstance())
            .build();
    return test.state()
        .volumes()
        .create(
            draft,
            data -> {
              if (backing == Backing.DIRECTORY) {
                Files.createDirectory(data);
              } else {
                Files.write(data, new byte[4096]);
              }
            });
  }

  private static List<String> reasons(VolumeHealth volume) {
    return volume.getHealthStatusesList().stream().map(VolumeHealthEntry::getReason).toList();
  }

  private List<String> of(Record volume) {
    return reasons(
        health
            .controllerGetVolumeHealth(
                ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(volume.getId()).build(),
                CALL)
            .getVolumeHealth());
  }

  private List<String> at(Record volume, String path) {
    return reasons(
        nodeHealth
            .nodeGetVolumeHealth(
                NodeGetVolumeHealthRequest.newBuilder()
                    .setVolumeId(volume.getId())
                    .setVolumePublishPath(path)
                    .build(),
                CALL)
            .getVolumeHealth());
  }

  @Test
  void lostDataIsToldAndTheListHoldsOnlyWhatIsNotWell() throws IOException {
    Record directory = volume("directory", Backing.DIRECTORY);
    Record block = volume("block", Backing.BLOCK);
    Record well = volume("well", Backing.DIRECTORY);
    assertThat(of(directory)).isEmpty();
    assertThat(of(block)).isEmpty();

    Files.delete(test.state().volumes().data(directory));
    Files.write(test.state().volumes().data(block), new byte[4095]);
    assertThat(of(directory)).containsExactly("DirectoryMissing");
    assertThat(of(block)).containsExactly("FileCut");
    assertThat(
            health
                .controllerListVolumeHealth(
                    ControllerListVolumeHealthRequest.getDefaultInstance(), CALL)
                .getEntriesList())
        .extracting(VolumeHealth::getVolumeId)
        .containsExactlyInAnyOrder(directory.getId(), block.getId())
        .doesNotContain(well.getId());
    Files.delete(test.state().volumes().data(block));
    assertThat(of(block)).containsExactly("FileMissing");
    assertFails(
        Status.Code.NOT_FOUND,
        () ->
            health.controllerGetVolumeHealth(
                ControllerGetVolumeHealthRequest.newBuilder().setVolumeId("nobody").build(), CALL));
  }

  @Test
  void aMountThatIsLostIsTold() throws IOException {
    // Paths of a request are those of this machine; the data's are not, which no mount minds here.
    Record volume = volume("one", Backing.DIRECTORY);
    assertThat(at(volume, TARGET.toString())).containsExactly("MountLost");

    test.kernel().mountForeign(TARGET);
    assertThat(at(volume, TARGET.toString())).containsExactly("MountLost");
    assertFails(Status.Code.NOT_FOUND, () -> at(volume, "/never/published"));
    assertFails(Status.Code.INVALID_ARGUMENT, () -> at(volume, "relative"));
  }

  private record Usage(long available) implements UsageReader {
    @Override
    public VolumeUsage ofFileSystem(Path path) {
      if (available < 0) {
        throw CsiException.internal("the file system does not answer", null);
      }
      return new VolumeUsage(
          new VolumeUsage.Amount(100, available, 100 - available), Optional.empty());
    }

    @Override
    public VolumeUsage ofBlockDevice(Path path) {
      return VolumeUsage.ofBlock(1);
    }
  }

  private static List<String> storage(long available) {
    return new HostpathStorageHealth(new Usage(available), Path.of("/state"))
            .nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance(), CALL)
            .getBackendHealthList()
            .stream()
            .map(StorageBackendHealth::getReason)
            .toList();
  }

  @Test
  void theBackEndIsNearlyFullOrDoesNotAnswer() {
    assertThat(storage(50)).isEmpty();
    assertThat(storage(5)).isEmpty();
    assertThat(storage(4)).containsExactly("NearlyFull");
    assertThat(storage(-1)).containsExactly("IoError");
  }
}
