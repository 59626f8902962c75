package dev.csijava.examples.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.mount.Mount;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OwnMountTest {
  private static final String HASH =
      "62cbbb6ca8ab41c5f487dcebe05d49f71f31c455abe62538185a0e1b932d92c7";

  @Test
  void pathsAreToldFromTheFolderOfTheDemo() {
    Mount mount =
        new Mount(
            2,
            1,
            "8:1",
            "/data/tmp/csi-demo.1/state/volumes/vol-0123456789abcdef0123456789abcdef/data",
            Path.of("/tmp/csi-demo.1/kubelet/" + HASH + "/globalmount"),
            Set.of("rw"),
            "ext4",
            "/dev/sda1",
            Set.of("rw"));

    assertThat(OwnMount.of(mount, Path.of("/tmp/csi-demo.1")))
        .isEqualTo(
            new OwnMount(
                "kubelet/62cbbb6c../globalmount",
                "state/volumes/vol-01234567../data",
                "ext4",
                true));
  }

  @Test
  void longNamesAreShortenedAndOthersAreNot() {
    assertThat(OwnMount.shortened("pods/9a1f0f64-0000-4000-8000-00000000000a/mount"))
        .isEqualTo("pods/9a1f0f64../mount");
    assertThat(OwnMount.shortened("pvc-notes/mount")).isEqualTo("pvc-notes/mount");
  }
}
