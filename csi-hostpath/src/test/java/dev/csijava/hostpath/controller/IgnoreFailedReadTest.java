package dev.csijava.hostpath.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.backing.VolumeData;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.groups.HostpathGroups;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.FakeMachine;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The parameter of a snapshot class reaches the copy, and only where it is set. */
class IgnoreFailedReadTest {
  private final TestState state = new TestState();
  private final List<Boolean> ignoring = new ArrayList<>();
  private Backings backings;
  private VolumeData data;
  private String volume;

  @BeforeEach
  void makeVolume() {
    FakeMachine machine = state.machine();
    Backings.Machine parts =
        new Backings.Machine(
            state.disk(),
            new Watched(false),
            machine.fileCopier(),
            state.kernel(),
            state.kernel(),
            machine.usage(),
            machine.loops(),
            machine.filesystems(),
            node -> "");
    backings = new Backings(parts, state.state().volumes());
    data = new VolumeData(backings, new VolumeSizes(1L << 30, 1L << 20));
    volume =
        state
            .state()
            .volumes()
            .create(
                Record.newBuilder()
                    .setName("one")
                    .setBacking(Backing.DIRECTORY)
                    .setSizeBytes(1)
                    .setVolume(VolumeDetails.getDefaultInstance())
                    .build(),
                Files::createDirectory)
            .getId();
  }

  @AfterEach
  void close() {
    state.close();
  }

  private final class Watched implements TreeCopier {
    private final boolean ignores;

    Watched(boolean ignores) {
      this.ignores = ignores;
    }

    @Override
    public void copy(Path from, Path to) throws IOException {
      ignoring.add(ignores);
      Files.createDirectory(to);
    }

    @Override
    public TreeCopier ignoringFailedReads() {
      return new Watched(true);
    }
  }

  @Test
  void aSnapshotLeavesOutWhatCannotBeReadIfItIsAskedTo() {
    HostpathSnapshots snapshots =
        new HostpathSnapshots(
            state.state(),
            data,
            new NodeTopology("node-1", true),
            new SnapshotMessages(List.of()),
            TestState.clock());
    var _ = snapshots.createSnapshot(Requests.snapshot("a", volume).build(), new FakeCall());
    for (String value : List.of("false", "true", "1")) {
      var _ =
          snapshots.createSnapshot(
              Requests.snapshot("b" + value, volume)
                  .putParameters("ignoreFailedRead", value)
                  .build(),
              new FakeCall());
    }
    assertThat(ignoring).containsExactly(false, false, true, true);
  }

  @Test
  void theMembersOfAGroupDoSoToo() {
    HostpathGroups groups =
        new HostpathGroups(state.state(), data, new SnapshotMessages(List.of()), backings::hold);
    for (String value : List.of("false", "true")) {
      var _ =
          groups.createVolumeGroupSnapshot(
              CreateVolumeGroupSnapshotRequest.newBuilder()
                  .setName("group " + value)
                  .addSourceVolumeIds(volume)
                  .putParameters("ignoreFailedRead", value)
                  .build(),
              new FakeCall());
    }
    assertThat(ignoring).containsExactly(false, true);
  }
}
