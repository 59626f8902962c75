package dev.csijava.examples.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Volume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records outlive the process, and one that is torn hurts nobody else. */
class VolumeStoreTest {
  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void aVolumeIsFoundAgainAfterARestartWithItsLatestSize() throws IOException {
    VolumeStore store = VolumeStore.open(directory);
    MemoryVolume grown = store.save(volume("a", "one")).withSize(77);
    store.save(grown);

    VolumeStore restarted = VolumeStore.open(directory);

    assertThat(restarted.require("a")).isEqualTo(grown);
    assertThat(restarted.findByName("one").orElseThrow().object()).isEqualTo(grown);
  }

  @Test
  void aDeletedVolumeStaysDeleted() throws IOException {
    VolumeStore store = VolumeStore.open(directory);
    store.delete(store.save(volume("a", "one")));

    assertThat(store.find("a")).isEmpty();
    assertThat(VolumeStore.open(directory).findByName("one")).isEmpty();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aTornRecordIsKeptAndTheOthersAreServed() throws IOException {
    VolumeStore store = VolumeStore.open(directory);
    store.save(volume("a", "one"));
    store.save(volume("b", "two"));
    Path torn = directory.resolve("b.volume");
    byte[] bytes = Files.readAllBytes(torn);
    Files.write(torn, Arrays.copyOf(bytes, bytes.length - 2));
    Files.createFile(directory.resolve(".c.volume"));

    VolumeStore restarted = VolumeStore.open(directory);

    assertThat(restarted.find("a")).isPresent();
    assertThat(restarted.find("b")).isEmpty();
    assertThat(torn).exists();
    assertThat(directory.resolve(".c.volume")).doesNotExist();
  }

  @Test
  void whatIsNobodysStaysAndStopsNothing() throws IOException {
    VolumeStore.open(directory).save(volume("a", "one"));
    Path file = Files.createDirectory(directory.resolve(".snapshot")).resolve("precious");
    Files.writeString(file, "keep");
    Files.writeString(directory.resolve(".note"), "keep");

    assertThat(VolumeStore.open(directory).find("a")).isPresent();

    assertThat(file).hasContent("keep");
    assertThat(directory.resolve(".note")).hasContent("keep");
  }

  @Test
  void whatCanNotBeWrittenIsNotThere() throws IOException {
    VolumeStore store = VolumeStore.open(Files.createDirectory(directory.resolve("state")));
    Files.delete(directory.resolve("state"));

    assertThatThrownBy(() -> store.save(volume("a", "one")))
        .isInstanceOf(UncheckedIOException.class);

    assertThat(store.find("a")).isEmpty();
  }

  private static MemoryVolume volume(String id, String name) {
    return new MemoryVolume(
        CreateVolumeRequest.newBuilder().setName(name).build(),
        Volume.newBuilder().setVolumeId(id).setCapacityBytes(1).build());
  }
}
