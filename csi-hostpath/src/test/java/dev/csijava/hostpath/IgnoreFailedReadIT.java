package dev.csijava.hostpath;

import static dev.csijava.hostpath.testing.Failures.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.JavaProcess;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The snapshot class parameter {@code ignoreFailedRead}, with a driver that may not read all: root
 * without the right to read what others have closed.
 */
@DisplayName("ignoreFailedRead, as the Go driver's")
class IgnoreFailedReadIT {
  private static final int SOMEBODY = 1000;

  private Path root;
  private Process process;
  private Client client;
  private String volume;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    assumeTrue(ServedDriver.canMount(), "files of others need root");
    assumeTrue(Programs.missing("setpriv").isEmpty(), "setpriv is not installed");
    root = directory.toRealPath();
    int port = MainProcess.freePort();
    ProcessBuilder builder =
        JavaProcess.of(
            "dev.csijava.hostpath.Main",
            "--endpoint=tcp://127.0.0.1:" + port,
            "--nodeid=node-1",
            "--statedir=" + root.resolve("state"),
            "--rundir=" + root.resolve("run"));
    builder
        .command()
        .addAll(0, List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"));
    process =
        builder.redirectErrorStream(true).redirectOutput(root.resolve("log").toFile()).start();
    client = new Client(port);
    volume =
        client.controller().createVolume(Requests.create("one").build()).getVolume().getVolumeId();
    Path data = root.resolve("state/volumes").resolve(volume).resolve("data");
    Files.writeString(data.resolve("open"), "everybody's");
    close(Files.writeString(data.resolve("closed"), "nobody's"));
    Files.writeString(Files.createDirectory(data.resolve("folder")).resolve("file"), "nobody's");
    close(data.resolve("folder"));
  }

  private static void close(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("---------"));
    Files.setAttribute(path, "unix:uid", SOMEBODY);
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (client != null) {
      client.close();
    }
    if (process != null) {
      process.destroyForcibly();
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  private String snapshot(String ignore) {
    return client
        .controller()
        .createSnapshot(
            Requests.snapshot("snapshot " + ignore, volume)
                .putParameters("ignoreFailedRead", ignore)
                .build())
        .getSnapshot()
        .getSnapshotId();
  }

  private String group(String ignore) {
    return GroupControllerGrpc.newBlockingStub(client.channel())
        .createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName("group " + ignore)
                .addSourceVolumeIds(volume)
                .putParameters("ignoreFailedRead", ignore)
                .build())
        .getGroupSnapshot()
        .getSnapshots(0)
        .getSnapshotId();
  }

  private void assertHasOnlyWhatCanBeRead(Path data) {
    assertThat(data.resolve("open")).hasContent("everybody's");
    assertThat(data.resolve("closed")).doesNotExist();
    assertThat(data.resolve("folder/file")).doesNotExist();
  }

  @Test
  void leavesOutWhatCannotBeReadWhereItIsSetAndElseFailsTheCall() {
    assertCode(Status.Code.INTERNAL, () -> snapshot("false"));
    assertCode(Status.Code.INTERNAL, () -> group("false"));
    assertThat(
            client
                .controller()
                .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                .getEntriesList())
        .isEmpty();

    Path snapshots = root.resolve("state/snapshots");
    String single = snapshot("true");
    assertHasOnlyWhatCanBeRead(snapshots.resolve(single).resolve("data"));
    assertHasOnlyWhatCanBeRead(snapshots.resolve(group("true")).resolve("data"));
    String restored =
        client
            .controller()
            .createVolume(
                Requests.create("restored")
                    .setVolumeContentSource(Requests.fromSnapshot(single))
                    .build())
            .getVolume()
            .getVolumeId();
    assertHasOnlyWhatCanBeRead(root.resolve("state/volumes").resolve(restored).resolve("data"));
  }
}
