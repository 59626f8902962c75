package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.csijava.spec.v1.CreateVolumeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes outlive the process; what is not the driver's is never touched. */
class VolumeStoreTest {
  private static final CreateVolumeRequest ONE =
      CreateVolumeRequest.newBuilder().setName("one").build();

  @TempDir Path root;

  @Test
  void aVolumeIsFoundAgainAfterARestart() throws IOException {
    StoredVolume made = VolumeStore.open(root).create(ONE);

    VolumeStore restarted = VolumeStore.open(root);

    assertEquals(Optional.of(made), restarted.find(made.id()));
    assertEquals(made, restarted.findByName("one").orElseThrow().object());
  }

  @Test
  void whatACrashLeftGoesAndWhatIsNobodysStays() throws IOException {
    Path half = Files.createDirectories(root.resolve(".unfinished-half/data/deep"));
    Files.createDirectory(root.resolve("lost+found"));
    Path file = Files.createDirectory(root.resolve(".snapshot")).resolve("precious");
    Files.writeString(file, "keep");

    VolumeStore.open(root);

    assertFalse(Files.exists(half.getParent().getParent()));
    assertTrue(Files.exists(root.resolve("lost+found")));
    assertEquals("keep", Files.readString(file));
  }

  @Test
  void aTornRecordIsKeptAndTheOthersAreServed() throws IOException {
    VolumeStore store = VolumeStore.open(root);
    StoredVolume whole = store.create(ONE);
    StoredVolume torn = store.create(ONE.toBuilder().setName("two").build());
    Files.write(root.resolve(torn.id()).resolve("request"), new byte[] {10, 100});

    VolumeStore restarted = VolumeStore.open(root);

    assertTrue(restarted.find(whole.id()).isPresent());
    assertTrue(restarted.find(torn.id()).isEmpty());
    assertTrue(Files.exists(torn.data()));
  }

  @Test
  void deletingFollowsNoLink(@TempDir Path elsewhere) throws IOException {
    Path file = Files.writeString(elsewhere.resolve("precious"), "keep");
    VolumeStore store = VolumeStore.open(root);
    StoredVolume made = store.create(ONE);
    Files.createDirectories(made.data().resolve("a/b"));
    Files.createSymbolicLink(made.data().resolve("a/b/link"), elsewhere);

    store.delete(made);

    assertEquals("keep", Files.readString(file));
    assertFalse(Files.exists(made.data().getParent()));
    assertTrue(store.find(made.id()).isEmpty());
  }
}
