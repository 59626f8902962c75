package dev.csijava.hostpath.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.core.mount.MountOptions;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.node.Publications;
import dev.csijava.hostpath.node.Stagings;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.Incoming;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.hostpath.testing.TestState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImportTest {
  private GoWorld world = world();

  private static GoWorld world() {
    try {
      return new GoWorld();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path target(boolean inPlace) {
    return inPlace ? world.go : world.fileSystem.getPath("/state");
  }

  private void run(Path target) throws IOException, RefusedException {
    world.into(target).run(world.said::add);
  }

  private void assertTakenOver(Path target) throws IOException {
    assertThat(Incoming.isUnfinished(target)).isFalse();
    try (StateDirectory state = world.open(target)) {
      assertThat(state.quarantined()).isEmpty();
      assertThat(state.volumes().size()).isEqualTo(3);
      assertThat(state.snapshots().size()).isEqualTo(2);
      assertThat(state.groups().size()).isEqualTo(1);

      Record volume = state.volumes().byId(GoWorld.VOLUME).orElseThrow();
      assertThat(state.volumes().byName("pvc-1")).contains(volume);
      assertThat(volume.getFolder()).isNotEqualTo(GoWorld.VOLUME).startsWith("vol-");
      assertThat(volume.getSizeBytes()).isEqualTo(1L << 30);
      assertThat(volume.getBacking()).isEqualTo(Backing.DIRECTORY);
      assertThat(volume.getVolume().getCapacityKind()).isEqualTo("fast");
      assertThat(volume.getVolume().getAttachments(0).getNodeId()).isEqualTo("node-1");
      assertThat(volume.getVolume().hasRequest()).isFalse();
      assertThat(state.volumes().data(volume).resolve("file")).hasContent("of the volume");

      Record block = state.volumes().byName("pvc-2").orElseThrow();
      assertThat(block.getId()).isEqualTo(GoWorld.BLOCK);
      assertThat(block.getBacking()).isEqualTo(Backing.BLOCK);
      assertThat(block.getVolume().getSource().getVolume().getVolumeId()).isEqualTo("gone");
      assertThat(Files.size(state.volumes().data(block))).isEqualTo(GoWorld.BLOCK_BYTES);

      Record inline = state.volumes().byId(GoWorld.INLINE).orElseThrow();
      assertThat(inline.getName()).isEmpty();
      assertThat(inline.getVolume().getInline().getTargetPath()).isEqualTo(GoWorld.INLINE_TARGET);
      assertThat(inline.getVolume().getInline().getPodDirectory()).isEqualTo("/pods/uid-2");

      Record snapshot = state.snapshots().byId(GoWorld.SNAPSHOT).orElseThrow();
      assertThat(snapshot.getCreated().getSeconds()).isEqualTo(1_700_000_000);
      assertThat(snapshot.getCreated().getNanos()).isEqualTo(12);
      assertThat(snapshot.getSnapshot().getGroupId()).isEqualTo(GoWorld.GROUP);
      assertThat(state.snapshots().data(snapshot).resolve("file")).hasContent("of the snapshot");
      Record cut = state.snapshots().byName("snap-b").orElseThrow();
      assertThat(cut.getBacking()).isEqualTo(Backing.BLOCK);
      assertThat(Files.size(state.snapshots().data(cut))).isEqualTo(3000);

      Record group = state.groups().byName("group").orElseThrow();
      assertThat(group.getId()).isEqualTo(GoWorld.GROUP);
      assertThat(state.groups().members(group)).containsExactly(snapshot);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void takesOverAllThatTheStateNames(boolean inPlace) throws Exception {
    run(target(inPlace));

    assertTakenOver(target(inPlace));
    assertThat(world.oldFiles().keySet()).containsExactly("state.json.imported");
    assertThat(world.said).last().asString().contains("6 objects were taken over");
  }

  @Test
  void fromAnotherFileSystemAllIsCopiedAndTheOldStays() throws Exception {
    world.oneMount = false;
    Map<String, String> before = world.oldFiles();

    run(target(false));

    assertTakenOver(target(false));
    Map<String, String> after = world.oldFiles();
    after.put("state.json", String.valueOf(after.remove("state.json.imported")));
    assertThat(after).isEqualTo(before);
  }

  @Test
  void fromAnotherFileSystemNothingThatIsMountedIsTaken() throws Exception {
    world.oneMount = false;
    world.kernel.bind(
        world.go.resolve(GoWorld.VOLUME),
        world.fileSystem.getPath(GoWorld.TARGET),
        MountOptions.of());

    assertThatThrownBy(() -> run(target(false)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("it is mounted at " + GoWorld.TARGET)
        .hasMessageContaining("nothing was changed");
  }

  @Test
  void whatTheKernelShowsIsRememberedAndWhatItDoesNotIsNot() throws Exception {
    world.kernel.bind(
        world.go.resolve(GoWorld.VOLUME),
        world.fileSystem.getPath(GoWorld.TARGET),
        MountOptions.of());

    run(target(true));

    Publications publications = Publications.open(world.run);
    assertThat(publications.of(GoWorld.VOLUME))
        .singleElement()
        .satisfies(p -> assertThat(p.getTargetPath()).isEqualTo(GoWorld.TARGET));
    assertThat(publications.of(GoWorld.INLINE)).isEmpty();
    try (StateDirectory state = world.open(target(true))) {
      Record volume = state.volumes().byId(GoWorld.VOLUME).orElseThrow();
      assertThat(Stagings.open(world.run).of(volume)).isEmpty();
    }
  }

  @Test
  @DisplayName("K7: a crash while a group that was taken over is deleted leaves none of it")
  void aGroupThatWasTakenOverIsDeletedWholeAlsoAfterACrash() throws Exception {
    run(target(true));
    StateDirectory dying =
        StateDirectory.open(
            world.go,
            world.disk,
            world.kernel,
            step -> {
              if (step == Steps.Step.GROUP_DELETED) {
                throw new IllegalStateException("dead");
              }
            },
            TestState.clock());
    Record group = dying.groups().byId(GoWorld.GROUP).orElseThrow();
    assertThatThrownBy(() -> dying.groups().delete(group)).hasMessage("dead");
    dying.close();

    try (StateDirectory state = world.open(world.go)) {
      assertThat(state.snapshots().byId(GoWorld.SNAPSHOT)).isEmpty();
      assertThat(state.snapshots().size()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("K7: a record of a group that can't be read is no proof against its members")
  void aMemberStaysWhileTheRecordOfItsGroupCannotBeRead() throws Exception {
    run(target(true));
    try (Stream<Path> groups = Files.list(world.go.resolve("groups"))) {
      Files.writeString(groups.findFirst().orElseThrow().resolve("record"), "garbage");
    }

    try (StateDirectory state = world.open(world.go)) {
      assertThat(state.snapshots().byId(GoWorld.SNAPSHOT)).isPresent();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("K7: after a failure at any step of the disk another run ends with all of it")
  void aFailureAtAnyStepIsFollowedByAnotherRun(boolean inPlace) throws Exception {
    boolean failed = true;
    int step = 0;
    for (; failed; step++) {
      world = new GoWorld();
      failed = fails(target(inPlace), step);
      if (failed) {
        run(target(inPlace));
      }
      assertTakenOver(target(inPlace));
      assertThat(world.oldFiles().keySet()).containsExactly("state.json.imported");
    }
    assertThat(step).isGreaterThan(40);
  }

  /** Both snapshots are members; the data of the block one is moved, so it is there only once. */
  private void groupBothSnapshots() throws IOException {
    world.write(
        GoWorld.STATE
            .replace(
                "[\"" + GoWorld.SNAPSHOT + "\"]",
                "[\"" + GoWorld.SNAPSHOT + "\",\"" + GoWorld.BLOCK_SNAPSHOT + "\"]")
            .replace("\"GroupSnapshotID\":\"\"", "\"GroupSnapshotID\":\"" + GoWorld.GROUP + "\""));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("K7: a member that was moved before its group is not taken for a crash's leavings")
  void aFailureBetweenMembersAndTheirGroupLosesNoMember(boolean rollBack) throws Exception {
    boolean failed = true;
    for (int step = 0; failed; step++) {
      world = new GoWorld();
      groupBothSnapshots();
      Map<String, String> before = world.oldFiles();
      failed = fails(target(true), step);
      if (failed && rollBack && Incoming.isUnfinished(world.go)) {
        try {
          world.into(world.go).rollBack(world.said::add);
          assertThat(world.oldFiles()).as("step %d", step).isEqualTo(before);
        } catch (RefusedException e) {
          assertThat(e).hasMessageContaining("all of the new state is verified");
        }
      }
      if (failed) {
        run(target(true));
      }
      try (StateDirectory state = world.open(world.go)) {
        Record group = state.groups().byName("group").orElseThrow();
        assertThat(state.groups().members(group)).as("step %d", step).hasSize(2);
        Record block = state.snapshots().byId(GoWorld.BLOCK_SNAPSHOT).orElseThrow();
        assertThat(Files.readString(state.snapshots().data(block))).startsWith("S".repeat(2000));
      }
    }
  }

  private boolean fails(Path target, int step) throws RefusedException {
    world.disk.failAt(step, "the disk fails");
    try {
      run(target);
      return false;
    } catch (IOException e) {
      return true;
    } finally {
      world.disk.heal();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("K7: after a failure at any step the roll-back ends with the old state, or refuses")
  void aFailureAtAnyStepCanBeRolledBack(boolean inPlace) throws Exception {
    boolean failed = true;
    int rolledBack = 0;
    for (int step = 0; failed; step++) {
      world = new GoWorld();
      Map<String, String> before = world.oldFiles();
      failed = fails(target(inPlace), step);
      try {
        world.into(target(inPlace)).rollBack(world.said::add);
        assertThat(Incoming.isUnfinished(target(inPlace))).isFalse();
        assertThat(world.oldFiles()).isEqualTo(before);
        try (StateDirectory state = world.open(target(inPlace))) {
          assertThat(state.volumes().size() + state.snapshots().size()).isZero();
        }
        rolledBack++;
      } catch (RefusedException e) {
        assertThat(e).hasMessageMatching("(?s)there is no unfinished import.*|all of the new.*");
      }
      if (failed) {
        run(target(inPlace));
        assertTakenOver(target(inPlace));
      }
    }
    assertThat(rolledBack).isGreaterThan(30);
  }
}
