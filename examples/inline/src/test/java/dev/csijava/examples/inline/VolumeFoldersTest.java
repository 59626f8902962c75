package dev.csijava.examples.inline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.kubelet.KubeletPaths;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies on the node when the driver starts. */
class VolumeFoldersTest {
  @TempDir Path run = Path.of("set by JUnit");

  @Test
  void aFolderThatCannotBeRemovedStopsNeitherTheStartNorTheOthers() throws IOException {
    Path gone = folder("csi-1");
    Path foreign = Files.createFile(folder("csi-2").resolve("nobody's"));
    Path strange = Files.writeString(folder("csi-3").resolve("target"), "/a\0b");
    Path other = Files.createDirectory(run.resolve("lost+found"));

    VolumeFolders.open(run, Mounter.system());

    assertThat(gone).doesNotExist();
    assertThat(foreign).exists();
    assertThat(strange).exists();
    assertThat(other).exists();
  }

  private Path folder(String volumeId) throws IOException {
    return Files.createDirectory(run.resolve(KubeletPaths.volumeHandleHash(volumeId)));
  }
}
