package dev.csijava.hostpath.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.core.mount.FileSystemType;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.hostpath.admin.state.ListedVolume;
import dev.csijava.hostpath.admin.state.VolumeListing;
import dev.csijava.hostpath.state.Attachment;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.ImageFileSystem;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.hostpath.store.StateListing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the listing says, and what adopt and purge do and refuse, on a disk in memory. */
class AdminOnDiskTest {
  private GoWorld world;
  private Path root;

  @BeforeEach
  void make() throws IOException {
    world = new GoWorld();
    root = world.fileSystem.getPath("/state");
  }

  private Record volume(String name, VolumeDetails details, Backing backing) throws IOException {
    Record draft =
        Record.newBuilder()
            .setName(name)
            .setSizeBytes(4)
            .setBacking(backing)
            .setVolume(details)
            .build();
    try (StateDirectory state = world.open(root)) {
      return state
          .volumes()
          .create(
              draft,
              data -> {
                if (backing == Backing.DIRECTORY) {
                  Files.createDirectory(data);
                } else {
                  Files.writeString(data, "data");
                }
              });
    }
  }

  private Record volume(String name) throws IOException {
    return volume(name, VolumeDetails.getDefaultInstance(), Backing.DIRECTORY);
  }

  private Path folder(Record volume) {
    return root.resolve("volumes").resolve(volume.getFolder());
  }

  private VolumeListing list(String... known) throws IOException {
    return new VolumeSurvey(
            StateListing.read(root),
            Map.of(),
            known.length == 0 ? Optional.empty() : Optional.of(Set.of(known)),
            world.admin())
        .make();
  }

  private void purge(Set<String> known, String... what) throws IOException, RefusedException {
    purge(false, known, what);
  }

  private void purge(boolean attachedToo, Set<String> known, String... what)
      throws IOException, RefusedException {
    new Purge(root, world.run, world.admin(), attachedToo)
        .purge(
            List.of(what),
            known.isEmpty() ? Optional.empty() : Optional.of(known),
            world.said::add);
  }

  private void assertNotPurged(String words, Set<String> known, String... what) {
    assertThatThrownBy(() -> purge(known, what))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(words)
        .hasMessageContaining("nothing was deleted");
  }

  @Test
  void theListingTellsWhatNobodyKnowsAnyMore() throws IOException {
    Record known = volume("known");
    Record left = volume("left");
    Record lost = volume("lost");
    Files.delete(folder(lost).resolve("record"));

    VolumeListing listing = list(known.getId());

    assertThat(listing.getVolumesList().stream().map(v -> v.getName() + " " + v.getState()))
        .containsExactlyInAnyOrder("known ok", "left unknown");
    assertThat(listing.getFolders(0).getFolder()).isEqualTo(folder(lost).toString());
    assertThat(listing.getFolders(0).getReason()).isEqualTo("it has no record");
    assertThat(String.join("\n", ListingText.lines(listing)))
        .contains("unknown  " + left.getId())
        .contains("quarantined: " + folder(lost));
    assertThat(list().getVolumesList()).allMatch(volume -> volume.getState().equals("ok"));
  }

  @Test
  void theListingTellsWhoUsesAVolume() throws IOException {
    VolumeDetails details =
        VolumeDetails.newBuilder()
            .addAttachments(Attachment.newBuilder().setNodeId("node-1"))
            .build();
    Record volume = volume("used", details, Backing.DIRECTORY);
    Path target = world.fileSystem.getPath(GoWorld.TARGET);
    world.kernel.bind(folder(volume).resolve("data"), target, MountOptions.of());

    ListedVolume listed = list().getVolumes(0);

    assertThat(listed.getTargetsList()).containsExactly(GoWorld.TARGET);
    assertThat(listed.getNodesList()).containsExactly("node-1");
  }

  @Test
  @DisplayName("K1: purge deletes only what nobody uses, and all that is named or nothing")
  void purgeRefusesWhatIsUsedOrKnown() throws Exception {
    Record free = volume("free");
    Record mounted = volume("mounted");
    VolumeDetails attachment =
        VolumeDetails.newBuilder()
            .addAttachments(Attachment.newBuilder().setNodeId("node-1"))
            .build();
    Record attached = volume("attached", attachment, Backing.DIRECTORY);
    world.kernel.bind(
        folder(mounted).resolve("data"),
        world.fileSystem.getPath(GoWorld.TARGET),
        MountOptions.of());

    assertNotPurged("mounted at", Set.of(), free.getId(), mounted.getId());
    assertNotPurged("attached to node node-1", Set.of(), attached.getId());
    assertNotPurged("--known-ids", Set.of(free.getId()), free.getId());
    assertNotPurged("is no volume", Set.of(), "../volumes/" + free.getFolder());
    assertThat(folder(free)).exists();

    purge(Set.of(mounted.getId()), free.getId());

    assertThat(folder(free)).doesNotExist();
    assertThat(folder(mounted)).exists();
  }

  @Test
  void purgeTakesWhatIsAttachedByItsRecordIfItIsToldTo() throws Exception {
    VolumeDetails attachment =
        VolumeDetails.newBuilder()
            .addAttachments(Attachment.newBuilder().setNodeId("node-1"))
            .build();
    Record attached = volume("attached", attachment, Backing.DIRECTORY);
    Record mounted = volume("mounted", attachment, Backing.DIRECTORY);
    world.kernel.bind(
        folder(mounted).resolve("data"),
        world.fileSystem.getPath(GoWorld.TARGET),
        MountOptions.of());

    assertNotPurged("give --attached", Set.of(), attached.getId());
    assertThatThrownBy(() -> purge(true, Set.of(), mounted.getId()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("mounted at");
    purge(true, Set.of(), attached.getId());

    assertThat(folder(attached)).doesNotExist();
    assertThat(folder(mounted)).exists();
  }

  @Test
  void purgeTakesAQuarantinedFolderUnlessItIsMounted() throws Exception {
    Record lost = volume("lost");
    Files.writeString(folder(lost).resolve("record"), "garbage");
    Path target = world.fileSystem.getPath(GoWorld.TARGET);
    world.kernel.bind(folder(lost).resolve("data"), target, MountOptions.of());
    assertNotPurged("mounted at", Set.of(), lost.getFolder());
    world.kernel.unmount(target);

    purge(Set.of(), lost.getFolder());

    assertThat(folder(lost)).doesNotExist();
  }

  @Test
  @DisplayName("K1: a list of known ids without any id protects nothing, so it is no list")
  void purgeRefusesAnEmptyListOfKnownIds() throws Exception {
    Record volume = volume("one");

    assertThatThrownBy(
            () ->
                new Purge(root, world.run, world.admin(), false)
                    .purge(List.of(volume.getId()), Optional.of(Set.of()), world.said::add))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("--known-ids names no id")
        .hasMessageContaining("nothing was deleted");
    assertThat(folder(volume)).exists();
  }

  @Test
  void purgeTakesAnImageThatACrashLeftAttachedAndNothingIfADeviceIsOpen() throws Exception {
    Record image = image("image");
    Record other = volume("other");
    world.machine.loops().attach(folder(image).resolve("data"), false);
    world.machine.loops().keepOpen(true);

    assertNotPurged("in use", Set.of(), other.getId(), image.getId());
    assertThat(folder(other)).exists();
    world.machine.loops().keepOpen(false);
    purge(Set.of(), other.getId(), image.getId());

    assertThat(folder(other)).doesNotExist();
    assertThat(folder(image)).doesNotExist();
    assertThat(world.machine.loops().files()).isEmpty();
  }

  private Record image(String name) throws IOException {
    try (StateDirectory state = world.open(root)) {
      return state
          .volumes()
          .create(
              Record.newBuilder()
                  .setName(name)
                  .setSizeBytes(4)
                  .setBacking(Backing.IMAGE)
                  .setFileSystem(ImageFileSystem.newBuilder().setType("ext4").setFormatted(true))
                  .setVolume(VolumeDetails.getDefaultInstance())
                  .build(),
              data -> Files.writeString(data, "data"));
    }
  }

  @Test
  @DisplayName("K1: a directory that is none of ours is left as it is")
  void aWrongDirectoryIsRefusedAndNothingInItChanged() throws Exception {
    Path wrong = world.fileSystem.getPath("/srv");
    Path precious = Files.createDirectories(wrong.resolve("trash/precious"));
    Files.createDirectories(wrong.resolve("pending/job"));
    Purge purge = new Purge(wrong, world.run, world.admin(), false);
    Adopt adopt = new Adopt(wrong, world.admin());

    assertThatThrownBy(() -> purge.purge(List.of("x"), Optional.empty(), world.said::add))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("no state of this driver in /srv");
    assertThatThrownBy(
            () -> adopt.adopt(given("x", Optional.of("n"), Optional.empty()), world.said::add))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("no state of this driver in /srv");
    assertThatThrownBy(() -> world.into(wrong).run(world.said::add))
        .hasMessageContaining("move that away");
    assertThatThrownBy(
            () -> new Import(wrong, wrong, world.run, Set.of(), world.admin()).run(world.said::add))
        .hasMessageContaining("state.json");
    assertThat(precious).exists();
    try (Stream<Path> left = Files.list(wrong)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("trash", "pending");
    }
  }

  private Adopt.Given given(String folder, Optional<String> name, Optional<Long> bytes) {
    return new Adopt.Given(
        folder, Optional.empty(), name, bytes, Optional.empty(), Optional.empty());
  }

  private void adopt(Adopt.Given given) throws IOException, RefusedException {
    new Adopt(root, world.admin()).adopt(given, world.said::add);
  }

  @Test
  void anAdoptedFolderIsServedAgainAndItsOldRecordIsKept() throws Exception {
    Record lost = volume("lost");
    Files.writeString(folder(lost).resolve("record"), "garbage");

    assertThatThrownBy(() -> adopt(given(lost.getFolder(), Optional.empty(), Optional.empty())))
        .hasMessageContaining("give it by --name");
    assertThatThrownBy(() -> adopt(given(lost.getFolder(), Optional.of("n"), Optional.empty())))
        .hasMessageContaining("give it by --size");
    adopt(given(lost.getFolder(), Optional.of("n"), Optional.of(7L)));

    try (StateDirectory state = world.open(root)) {
      assertThat(state.quarantined()).isEmpty();
      Record adopted = state.volumes().byName("n").orElseThrow();
      assertThat(adopted.getId()).isEqualTo(lost.getId());
      assertThat(adopted.getSizeBytes()).isEqualTo(7);
    }
    assertThat(folder(lost).resolve("record.quarantined")).hasContent("garbage");
  }

  @Test
  void whatTheOldRecordStillTellsNeedNotBeGiven() throws Exception {
    Record lost = volume("lost");
    Path record = folder(lost).resolve("record");
    Files.writeString(record, Files.readString(record).replace("# end of record\n", ""));

    adopt(given(lost.getFolder(), Optional.empty(), Optional.empty()));

    try (StateDirectory state = world.open(root)) {
      assertThat(state.volumes().byName("lost")).contains(lost);
    }
  }

  @Test
  void aFileIsAdoptedOnlyAsWhatTheOperatorSaysAndNeverFormatted() throws Exception {
    Record lost = volume("lost", VolumeDetails.getDefaultInstance(), Backing.BLOCK);
    Files.delete(folder(lost).resolve("record"));
    Optional<String> name = Optional.of("n");

    assertThatThrownBy(() -> adopt(given(lost.getFolder(), name, Optional.empty())))
        .hasMessageContaining("give --backing");
    adopt(
        new Adopt.Given(
            lost.getFolder(),
            Optional.of("other-id"),
            name,
            Optional.empty(),
            Optional.of(Backing.IMAGE),
            Optional.of(FileSystemType.XFS)));

    try (StateDirectory state = world.open(root)) {
      Record adopted = state.volumes().byId("other-id").orElseThrow();
      assertThat(adopted.getFileSystem().getFormatted()).isTrue();
      assertThat(adopted.getSizeBytes()).isEqualTo(4);
    }
  }

  @Test
  void aVolumeThatIsServedCannotBeAdopted() throws IOException {
    Record volume = volume("served");

    assertThatThrownBy(() -> adopt(given(volume.getFolder(), Optional.of("n"), Optional.of(7L))))
        .hasMessageContaining("no quarantined folder");
  }
}
