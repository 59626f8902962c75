package dev.csijava.hostpath.controller;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.backing.VolumeData;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.groups.HostpathGroups;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.InlineDetails;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.FakeMachine;
import dev.csijava.hostpath.testing.Policies;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An inline volume goes when its pod goes, whoever copies it: the locks of the framework don't keep
 * it. Half of it must not become a snapshot (rule K8).
 */
class VanishingSourceTest {
  private static final VolumeSizes SIZES = new VolumeSizes(1L << 30, 1L << 20);
  private static final FakeCall CALL = new FakeCall();
  private static final String POD_VOLUME = "csi-of-a-pod";

  private final TestState test = new TestState();
  private final NodeTopology topology = new NodeTopology("node-1", true);
  private Backings backings;
  private VolumeData data;

  @BeforeEach
  void makeVolume() {
    FakeMachine machine = test.machine();
    backings =
        new Backings(
            new Backings.Machine(
                test.disk(),
                this::copyHalf,
                machine.fileCopier(),
                test.kernel(),
                test.kernel(),
                machine.usage(),
                machine.loops(),
                machine.filesystems(),
                node -> ""),
            test.state().volumes());
    data = new VolumeData(backings, SIZES);
    var _ =
        test.state()
            .volumes()
            .create(
                Record.newBuilder()
                    .setId(POD_VOLUME)
                    .setBacking(Backing.DIRECTORY)
                    .setSizeBytes(1)
                    .setVolume(
                        VolumeDetails.newBuilder().setInline(InlineDetails.getDefaultInstance()))
                    .build(),
                Files::createDirectory);
  }

  @AfterEach
  void close() {
    test.close();
  }

  /** A copier by descriptor takes what is gone for a file that was removed by its workload. */
  private void copyHalf(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    test.state().volumes().delete(test.state().volumes().byId(POD_VOLUME).orElseThrow());
  }

  @Test
  void aSnapshotOfItIsNotMade() {
    HostpathSnapshots snapshots =
        new HostpathSnapshots(
            test.state(), data, topology, new SnapshotMessages(List.of()), TestState.clock());

    assertFails(
        Status.Code.NOT_FOUND,
        () -> snapshots.createSnapshot(Requests.snapshot("cut", POD_VOLUME).build(), CALL));

    assertNothingOf("snapshots");
  }

  @Test
  void aGroupWithItIsNotMade() {
    HostpathGroups groups =
        new HostpathGroups(test.state(), data, new SnapshotMessages(List.of()), backings::hold);

    assertFails(
        Status.Code.NOT_FOUND,
        () ->
            groups.createVolumeGroupSnapshot(
                CreateVolumeGroupSnapshotRequest.newBuilder()
                    .setName("group")
                    .addSourceVolumeIds(POD_VOLUME)
                    .build(),
                CALL));

    assertNothingOf("snapshots");
  }

  @Test
  void aCloneOfItIsNotMade() {
    HostpathVolumes volumes =
        new HostpathVolumes(
            test.state(), data, test.uses(), Policies.of(test.state(), SIZES), topology);

    assertFails(
        Status.Code.NOT_FOUND,
        () ->
            volumes.createVolume(
                Requests.create("clone")
                    .setVolumeContentSource(Requests.fromVolume(POD_VOLUME))
                    .build(),
                CALL));

    assertNothingOf("volumes");
  }

  private void assertNothingOf(String folder) {
    assertThat(test.names(folder)).isEmpty();
    assertThat(test.names("pending")).isEmpty();
  }
}
