package dev.csijava.examples.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.spec.v1.CreateVolumeRequest;
import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes on the export outlive the process, and a deletion harms nothing else. */
class ExportStoreTest {
  private static final CreateVolumeRequest REQUEST =
      CreateVolumeRequest.newBuilder().setName("one").build();

  @TempDir Path export = Path.of("set by JUnit");
  @TempDir Path elsewhere = Path.of("set by JUnit");
  private ExportStore store = new ExportStore(export);

  @BeforeEach
  void open() throws IOException {
    store = new ExportStore(export);
    store.open();
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private void restart() throws IOException {
    close();
    open();
  }

  @Test
  void aVolumeIsFoundAgainAfterARestart() throws IOException {
    NetworkVolume made = store.create(REQUEST);
    Files.writeString(data(made).resolve("memo"), "remember");

    restart();

    assertThat(store.find(made.id())).contains(made);
    assertThat(store.findByName("one").orElseThrow().object()).isEqualTo(made);
    assertThat(data(made).resolve("memo")).hasContent("remember");
  }

  @Test
  void whatACrashLeftIsGoneAndWhatIsNobodysStays() throws IOException {
    Files.createDirectories(export.resolve(".unfinished-a").resolve("data"));
    Files.createDirectories(export.resolve(".trash-b").resolve("data/deep/deeper"));
    Path foreign = Files.createDirectory(export.resolve("lost+found"));

    restart();

    assertThat(export.resolve(".unfinished-a")).doesNotExist();
    assertThat(export.resolve(".trash-b")).doesNotExist();
    assertThat(foreign).exists();
  }

  /**
   * A file that is open on a node stays as .nfs..., and a mount stays: neither stops the others.
   */
  @Test
  void whatCannotBeRemovedYetStopsNothing() throws IOException {
    NetworkVolume made = store.create(REQUEST);
    Files.createFile(export.resolve(".trash-b"));

    restart();

    assertThat(store.find(made.id())).isPresent();
  }

  @Test
  void deletingFollowsNoLink() throws IOException {
    Path file = Files.writeString(elsewhere.resolve("precious"), "keep");
    NetworkVolume made = store.create(REQUEST);
    Path deep = Files.createDirectories(data(made).resolve("a/b/c"));
    Files.createSymbolicLink(deep.resolve("link"), elsewhere);
    Files.createSymbolicLink(data(made).resolve("dangling"), Path.of("nowhere"));

    store.delete(made);

    assertThat(file).hasContent("keep");
    assertThat(store.find(made.id())).isEmpty();
    try (Stream<Path> left = Files.list(export)) {
      assertThat(left).containsExactly(export.resolve(".lock"));
    }
  }

  @Test
  void aTreeDeeperThanAnyPathIsRemoved() throws IOException {
    NetworkVolume made = store.create(REQUEST);
    Path top = data(made);
    String name = "d".repeat(200);
    Path below = Files.createDirectories(top.resolve("0/" + name));
    for (int i = 1; i < 40; i++) { // each time what is there goes down by one more level
      Path next = Files.createDirectories(top.resolve(i + "/" + name));
      Files.move(top.resolve(Integer.toString(i - 1)), next.resolve("x"));
      below = next;
    }
    assertThat(below).isDirectory();

    store.delete(made);

    assertThat(export.resolve(made.id())).doesNotExist();
    try (Stream<Path> left = Files.list(export)) {
      assertThat(left).containsExactly(export.resolve(".lock"));
    }
  }

  @Test
  void anExportIsOpenedOnce() {
    try (ExportStore second = new ExportStore(export)) {
      // Within one process the JDK says so by itself; another process gets our sentence.
      assertThatThrownBy(second::open).isInstanceOf(OverlappingFileLockException.class);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aTornRecordIsKeptAndTheOthersAreServed() throws IOException {
    NetworkVolume whole = store.create(REQUEST);
    NetworkVolume torn = store.create(REQUEST.toBuilder().setName("two").build());
    Files.write(export.resolve(torn.id()).resolve("request"), new byte[] {10, 100});

    restart();

    assertThat(store.find(whole.id())).isPresent();
    assertThat(store.find(torn.id())).isEmpty();
    assertThat(data(torn)).exists();
  }

  private Path data(NetworkVolume volume) {
    return export.resolve(volume.id()).resolve("data");
  }
}
