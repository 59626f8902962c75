package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** deploy/remove, with a kubectl that only writes down what it is asked. */
class RemovalScriptTest {
  private static final Path REMOVE = Path.of("deploy", "remove").toAbsolutePath();

  @TempDir Path directory = Path.of("set by JUnit");

  private record Ran(int exit, String output) {}

  @BeforeEach
  void clusterOfTwoNodesWithoutVolumes() throws IOException {
    answer("persistentvolumes", "");
    answer("volumesnapshotcontents", "");
    answer("nodes", "node-a\nnode-b\n");
    Path kubectl = directory.resolve("kubectl");
    Files.writeString(
        kubectl,
        """
        #!/bin/sh
        printf '%s\\n' "$*" >> "$(dirname "$0")/asked"
        [ "$1" != get ] || [ ! -f "$(dirname "$0")/$2" ] || cat "$(dirname "$0")/$2"
        """);
    Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void answer(String kind, String names) throws IOException {
    Files.writeString(directory.resolve(kind), names);
  }

  private List<String> asked() throws IOException {
    return Files.readAllLines(directory.resolve("asked"));
  }

  private Ran remove(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(REMOVE.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().merge("PATH", directory.toString(), (old, ours) -> ours + ":" + old);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), output);
  }

  @Test
  void deletesWhatWasInstalledAndTheLabelsThatKubeletLeaves() throws Exception {
    assertThat(remove("distributed").exit()).isZero();
    assertThat(asked())
        .contains(
            "delete -f distributed.yaml --ignore-not-found",
            "label node node-a topology.hostpath.csi/node-",
            "label node node-b topology.hostpath.csi/node-");
  }

  @Test
  void namesWhatStaysOnEachNodeAndHowToClearIt() throws Exception {
    Ran ran = remove("single");
    for (String node : List.of("node-a", "node-b")) {
      assertThat(ran.output())
          .containsPattern(
              node
                  + " keeps.*\\n.*/var/lib/csi-hostpath .*rm -r.*"
                  + "\\n.*/run/csi-hostpath .*rm -r"
                  + ".*\\n.*/var/lib/kubelet/plugins/hostpath.csi.k8s.io .*rmdir");
    }
  }

  @Test
  void refusesWhileThereAreVolumesOrSnapshots() throws Exception {
    for (String kind : List.of("persistentvolumes", "volumesnapshotcontents")) {
      answer(kind, "somebodys\n");
      Ran ran = remove("single");
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.output()).contains("somebodys");
      answer(kind, "");
    }
    assertThat(asked()).noneMatch(call -> call.startsWith("delete") || call.startsWith("label"));
  }

  @Test
  void saysHowItIsCalled() throws Exception {
    assertThat(remove("everything")).isEqualTo(new Ran(2, "usage: remove single|distributed\n"));
  }
}
