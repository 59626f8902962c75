package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * deploy/remove, with a kubectl that answers what a test has written and notes what it is asked.
 */
class RemoveScriptTest {
  private static final String KUBECTL =
      """
      #!/bin/sh
      here=$(dirname "$0")
      printf '%s\\n' "$*" >> "$here/asked"
      [ ! -e "$here/fails-at-$2" ] || exit 1
      [ "$1 $2" != "get crd" ] || [ -e "$here/no-crd" ] || echo "$3"
      [ "$1" != get ] || cat "$here/$2" 2> /dev/null || true
      """;

  @TempDir Path directory = Path.of("set by JUnit");
  private Path output = Path.of("set below");

  @BeforeEach
  void makeKubectl() throws IOException {
    output = directory.resolve("output");
    Path kubectl = Files.writeString(directory.resolve("kubectl"), KUBECTL);
    Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private int remove(String mode) throws IOException, InterruptedException {
    ProcessBuilder script =
        new ProcessBuilder("deploy/remove", mode)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    script.environment().merge("PATH", directory.toString(), (path, ours) -> ours + ":" + path);
    return script.start().waitFor();
  }

  @ParameterizedTest
  @ValueSource(strings = {"persistentvolumes", "volumesnapshotcontents", "pods"})
  void nothingIsDeletedWhileSomethingNeedsTheDriver(String kind) throws Exception {
    Files.writeString(directory.resolve(kind), "still-there\n");

    assertThat(remove("single")).isEqualTo(1);

    assertThat(output).content().contains("not removed", "still-there");
    assertThat(directory.resolve("asked")).content().doesNotContain("delete", "label node");
  }

  @ParameterizedTest
  @ValueSource(strings = {"persistentvolumes", "crd", "volumesnapshotcontents", "pods", "nodes"})
  void nothingIsDeletedWhereTheClusterDoesNotAnswer(String kind) throws Exception {
    Files.createFile(directory.resolve("fails-at-" + kind));

    assertThat(remove("single")).isNotZero();

    assertThat(directory.resolve("asked")).content().doesNotContain("delete", "label node");
  }

  @Test
  void aClusterWithoutSnapshotsIsNotAskedForThem() throws Exception {
    Files.createFile(directory.resolve("no-crd"));

    assertThat(remove("single")).isZero();

    assertThat(directory.resolve("asked"))
        .content()
        .contains("delete -f single.yaml")
        .doesNotContain("get volumesnapshotcontents");
  }

  @Test
  void eachNodeLosesItsLabelAndWhatStaysOnItIsNamed() throws Exception {
    Files.writeString(directory.resolve("nodes"), "one\ntwo\n");

    assertThat(remove("distributed")).isZero();

    assertThat(directory.resolve("asked"))
        .content()
        .contains("delete -f distributed.yaml")
        .contains("label node one topology.hostpath.csi/node-")
        .contains("label node two topology.hostpath.csi/node-");
    String yaml = Files.readString(Path.of("deploy", "distributed.yaml"));
    for (String left :
        new String[] {
          "/var/lib/csi-hostpath",
          "/run/csi-hostpath",
          "/var/lib/kubelet/plugins/hostpath.csi.k8s.io"
        }) {
      assertThat(yaml).contains("path: " + left + "\n");
      assertThat(output).content().contains("  " + left + " ");
    }
  }

  @Test
  void whatStaysIsNamedWithTheWayToClearIt() throws Exception {
    Files.writeString(directory.resolve("nodes"), "one\ntwo\n");

    assertThat(remove("single")).isZero();

    for (String node : new String[] {"one", "two"}) {
      assertThat(output)
          .content()
          .containsPattern(
              node
                  + " keeps.*\\n.*/var/lib/csi-hostpath .*rm -r.*"
                  + "\\n.*/run/csi-hostpath .*rm -r"
                  + ".*\\n.*/var/lib/kubelet/plugins/hostpath.csi.k8s.io .*rmdir");
    }
  }

  @Test
  void aModeThatDoesNotExistIsRefused() throws Exception {
    assertThat(remove("both")).isEqualTo(2);

    assertThat(output).content().isEqualTo("usage: remove single|distributed\n");
    assertThat(directory.resolve("asked")).doesNotExist();
  }
}
