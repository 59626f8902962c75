package dev.csijava.hostpath.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an import refuses, and that nothing is changed then. */
class ImportRefusalTest {
  private GoWorld world;

  @BeforeEach
  void make() throws IOException {
    world = new GoWorld();
  }

  private void assertRefused(String words) throws IOException {
    Map<String, String> before = world.oldFiles();
    assertThatThrownBy(() -> world.into(world.go).run(world.said::add))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(words);
    assertThat(world.oldFiles()).isEqualTo(before);
    assertThatThrownBy(() -> world.into(world.go).plan(world.said::add))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(words);
  }

  private void replace(String old, String fresh) throws IOException {
    assertThat(GoWorld.STATE).contains(old);
    world.write(GoWorld.STATE.replace(old, fresh));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../outside", "a/b", "/etc", ".", "..", "", "x\\u0000y", "-rf", "trash", "lock"})
  @DisplayName("K2: an id is no path")
  void anIdThatIsNoPlainNameIsRefused(String id) throws IOException {
    Path outside = world.fileSystem.getPath("/outside");
    Files.createDirectory(outside);

    replace(GoWorld.INLINE, id);

    assertRefused("nothing was changed");
    assertThat(outside).isDirectory();
  }

  @Test
  @DisplayName("K2: a target that can't be a path is named")
  void aTargetThatIsNoPathIsRefused() throws IOException {
    replace("[\"" + GoWorld.INLINE_TARGET + "\"]", "[\"/pods/\\u0000\"]");

    assertRefused("volume " + GoWorld.INLINE + ": a path of it can't be one: /pods/?");
  }

  @Test
  @DisplayName("K2: the path of the state must be the one of the id")
  void aPathThatIsNotTheOneOfTheIdIsRefused() throws IOException {
    replace("\"/csi-data-dir/" + GoWorld.BLOCK + "\"", "\"/csi-data-dir/" + GoWorld.INLINE + "\"");

    assertRefused("does not name a file of the directory");
  }

  @Test
  @DisplayName("K2: a link in the place of a volume is not followed")
  void aLinkIsNoVolume() throws IOException {
    Path volume = world.go.resolve(GoWorld.VOLUME);
    Files.move(volume, world.fileSystem.getPath("/elsewhere"));
    Files.createSymbolicLink(volume, world.fileSystem.getPath("/elsewhere"));

    assertThatThrownBy(() -> world.into(world.go).run(world.said::add))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is not there, or is no directory");
    assertThat(world.fileSystem.getPath("/elsewhere")).isDirectory();
  }

  @Test
  void aStateThatIsCutShortIsRefused() throws IOException {
    world.write(GoWorld.STATE.substring(0, 900));

    assertRefused("is not a whole state of the Go driver");
  }

  @Test
  void aVolumeThatIsNotThereIsNamedAndCanBeSkipped() throws Exception {
    Files.delete(world.go.resolve(GoWorld.BLOCK));
    assertRefused("volume " + GoWorld.BLOCK);

    world.into(world.go, GoWorld.BLOCK).run(world.said::add);

    try (StateDirectory state = world.open(world.go)) {
      assertThat(state.volumes().size()).isEqualTo(2);
    }
  }

  @Test
  void aNameThatIsTakenHereIsRefused() throws IOException {
    replace("\"pvc-2\"", "\"pvc-1\"");

    assertRefused("its id or name is taken already");
  }

  @Test
  void aSnapshotThatNeverBecameReadyStaysWhereItIs() throws Exception {
    replace("\"SizeBytes\":3000,\"ReadyToUse\":true", "\"SizeBytes\":3000,\"ReadyToUse\":false");

    world.into(world.go).run(world.said::add);

    assertThat(world.go.resolve(GoWorld.BLOCK_SNAPSHOT + ".snap")).exists();
    assertThat(String.join("\n", world.said)).contains("never became ready");
  }

  @Test
  void aSnapshotWhoseVolumeIsGoneIsJudgedByItsFile() throws Exception {
    replace("\"VolID\":\"" + GoWorld.BLOCK + "\",\"Path\"", "\"VolID\":\"gone\",\"Path\"");
    assertRefused("neither a whole archive nor as large as a block volume is");
    Files.writeString(world.go.resolve(GoWorld.BLOCK_SNAPSHOT + ".snap"), "S".repeat(1 << 20));
    assertRefused("neither a whole archive nor as large as a block volume is");
    world.write(
        GoWorld.STATE
            .replace("\"VolID\":\"" + GoWorld.BLOCK + "\",\"Path\"", "\"VolID\":\"gone\",\"Path\"")
            .replace("\"SizeBytes\":3000", "\"SizeBytes\":2097152"));

    world.into(world.go).run(world.said::add);

    try (StateDirectory state = world.open(world.go)) {
      Record cut = state.snapshots().byId(GoWorld.BLOCK_SNAPSHOT).orElseThrow();
      assertThat(cut.getBacking()).isEqualTo(Backing.BLOCK);
      assertThat(cut.getSnapshot().getSourceVolumeId()).isEqualTo("gone");
    }
  }

  @Test
  void anArchiveThatCannotBeUnpackedLeavesTheOldStateInForce() throws Exception {
    Files.writeString(world.go.resolve(GoWorld.SNAPSHOT + ".snap"), "torn");
    Map<String, String> before = world.oldFiles();

    assertThatThrownBy(() -> world.into(world.go).run(world.said::add))
        .hasMessageContaining("this is no archive");
    assertThatThrownBy(() -> world.open(world.go)).hasMessageContaining("is not finished");
    world.into(world.go).rollBack(world.said::add);

    assertThat(world.oldFiles()).isEqualTo(before);
  }

  @Test
  void aStateThatChangedMeanwhileIsRolledBackFirst() throws Exception {
    world.disk.failAt(15, "the disk fails");
    assertThatThrownBy(() -> world.into(world.go).run(world.said::add))
        .isInstanceOf(IOException.class);
    world.disk.heal();
    replace("\"SizeBytes\":3000", "\"SizeBytes\":3001");

    assertThatThrownBy(() -> world.into(world.go).run(world.said::add))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("has changed since the import began");

    world.into(world.go).rollBack(world.said::add);
    world.into(world.go).run(world.said::add);
  }

  @Test
  void aDryRunNamesAllAndChangesNothing() throws Exception {
    Files.writeString(world.go.resolve("of-nobody"), "");
    Map<String, String> before = world.oldFiles();
    Path target = world.fileSystem.getPath("/state");

    world.into(target).plan(world.said::add);

    assertThat(String.join("\n", world.said))
        .contains("volume " + GoWorld.VOLUME + ": moved")
        .contains("snapshot " + GoWorld.SNAPSHOT + ": unpacked")
        .contains("group " + GoWorld.GROUP + ": recorded")
        .contains("of-nobody is not imported and stays where it is");
    assertThat(world.oldFiles()).isEqualTo(before);
    assertThat(target).doesNotExist();
  }

  @Test
  void aWrongDirectoryLeavesNoTrace() throws Exception {
    Path target = world.fileSystem.getPath("/state");
    Files.delete(world.go.resolve("state.json"));

    assertThatThrownBy(() -> world.into(target).run(world.said::add))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("there is no /go/state.json");
    assertThat(target).doesNotExist();
  }
}
