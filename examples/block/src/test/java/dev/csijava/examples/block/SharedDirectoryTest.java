package dev.csijava.examples.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes outlive the process, half made ones do not. */
class SharedDirectoryTest {
  private static final long MIB = 1 << 20;
  private static final CreateVolumeRequest REQUEST =
      CreateVolumeRequest.newBuilder().setName("one").build();

  @TempDir Path root = Path.of("set by JUnit");

  @Test
  void aVolumeAndItsAttachmentsAreFoundByAnotherProcess() {
    SharedDirectory shared = new SharedDirectory(root);
    BlockVolume made = shared.create(REQUEST, MIB);
    ControllerPublishVolumeRequest attachment =
        ControllerPublishVolumeRequest.newBuilder().setNodeId("node-1").build();
    shared.attach(made, List.of(attachment));

    BlockVolume found = new SharedDirectory(root).find(made.id()).orElseThrow();

    assertThat(found.request()).isEqualTo(REQUEST);
    assertThat(found.sizeBytes()).isEqualTo(MIB);
    assertThat(found.attachmentTo("node-1")).contains(attachment);
    assertThat(found.attachmentTo("node-2")).isEmpty();
    assertThat(shared.findByName("one").orElseThrow().object().id()).isEqualTo(made.id());
  }

  @Test
  void whatACrashLeftHalfMadeIsNeverSeenAndGoneAfterTheSweep() throws IOException {
    SharedDirectory shared = new SharedDirectory(root);
    Path half = Files.createDirectory(root.resolve(".unfinished-half"));
    Files.createFile(half.resolve("image"));
    Files.createFile(half.resolve("request"));

    assertThat(shared.find(".unfinished-half")).isEmpty();
    assertThat(shared.all()).isEmpty();
    shared.sweep();

    assertThat(root).isEmptyDirectory();
  }

  /** Rule K2. */
  @Test
  void noPathIsMadeOfAnId() throws IOException {
    SharedDirectory shared = new SharedDirectory(Files.createDirectory(root.resolve("shared")));
    Files.createDirectory(root.resolve("other"));
    Files.createFile(root.resolve("other").resolve("request"));

    assertThat(shared.find("../other")).isEmpty();
    assertThat(shared.find("..")).isEmpty();
    assertThat(shared.find("")).isEmpty();
  }

  /** Rule K7: a record that is torn hurts one volume. */
  @Test
  void aRecordThatCannotBeReadHidesNoOther() throws IOException {
    SharedDirectory shared = new SharedDirectory(root);
    BlockVolume torn = shared.create(CreateVolumeRequest.newBuilder().setName("torn").build(), MIB);
    BlockVolume whole = shared.create(REQUEST, MIB);
    Files.write(torn.image().resolveSibling("request"), new byte[] {10, 100, 1});

    assertThat(shared.all()).extracting(BlockVolume::id).containsExactly(whole.id());
    assertThat(shared.images()).contains(torn.image(), whole.image());
    shared.sweep();
    assertThat(torn.image()).exists();
  }

  @Test
  void anImageGrowsAndNeverShrinks() throws IOException {
    BlockVolume volume = new SharedDirectory(root).create(REQUEST, MIB);

    SharedDirectory.grow(volume.image(), 3 * MIB);
    SharedDirectory.grow(volume.image(), 2 * MIB);

    assertThat(volume.sizeBytes()).isEqualTo(3 * MIB);
  }

  @Test
  void aVolumeIsDeletedWithAllThatItConsistsOf() {
    SharedDirectory shared = new SharedDirectory(root);
    BlockVolume volume = shared.create(REQUEST, MIB);
    shared.attach(volume, List.of());

    shared.delete(volume);

    assertThat(root).isEmptyDirectory();
  }

  @Test
  void whatIsNobodysStaysAndStopsNothing() throws IOException {
    SharedDirectory shared = new SharedDirectory(root);
    BlockVolume volume = shared.create(REQUEST, MIB);
    Files.createDirectory(root.resolve("lost+found"));
    Path file = Files.createDirectory(root.resolve(".snapshot")).resolve("image");
    Files.writeString(file, "keep");
    Path half = Files.createDirectory(root.resolve(".unfinished-half"));
    Files.createFile(half.resolve("foreign"));

    shared.sweep();

    assertThat(file).hasContent("keep");
    assertThat(half.resolve("foreign")).exists();
    assertThat(shared.all()).extracting(BlockVolume::id).containsExactly(volume.id());
  }
}
