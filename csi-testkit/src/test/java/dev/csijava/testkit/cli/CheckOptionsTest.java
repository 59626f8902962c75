package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.testkit.conformance.Engine;
import dev.csijava.testkit.conformance.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Every option of check reaches the settings, and what is not given has its default. */
class CheckOptionsTest {
  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void defaults() {
    Settings settings = settings(Map.of("--endpoint", "unix:///run/x.sock"));
    assertThat(settings.endpoint()).hasToString("unix:///run/x.sock");
    assertThat(settings.controllerEndpoint()).hasToString("unix:///run/x.sock");
    assertThat(settings.size()).isEqualTo(1L << 30);
    assertThat(settings.expandSize()).isEqualTo(2L << 30);
    assertThat(settings.accessType()).isEqualTo(Settings.AccessType.MOUNT);
    assertThat(settings.repetitions()).isEqualTo(10);
    assertThat(settings.parallelism()).isEqualTo(4);
    assertThat(settings.callTimeout()).isEqualTo(Duration.ofSeconds(60));
    assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.namePrefix()).isEqualTo("csi-testkit");
    assertThat(settings.engines()).containsExactlyInAnyOrder(Engine.values());
    assertThat(settings.secrets()).isEmpty();
    assertThat(settings.parameters()).isEmpty();
    assertThat(settings.only()).isEmpty();
    assertThat(settings.without()).isEmpty();
    assertThat(settings.connectionPerCall()).isFalse();
    assertThat(settings.attachLimit()).isFalse();
    assertThat(settings.restartCommand()).isEmpty();
    assertThat(settings.killCommand()).isEmpty();
    assertThat(settings.logFile()).isEmpty();
    assertThat(settings.fullTopology()).isEmpty();
    assertThat(settings.inlineAttributes()).isEmpty();
  }

  @Test
  void everyOptionReachesTheSettings() throws IOException {
    Map<String, String> given = new LinkedHashMap<>();
    given.put("--endpoint", "unix:///run/x.sock");
    given.put("--controller-endpoint", "tcp://there:99");
    given.put("--secrets", file("CreateVolumeSecret:\n  user: me\n"));
    given.put("--parameters", file("kind: fast\n"));
    given.put("--mutable-parameters", file("iops: \"7\"\n"));
    given.put("--snapshot-parameters", file("keep: long\n"));
    given.put("--group-snapshot-parameters", file("all: together\n"));
    given.put("--access-type", "block");
    given.put("--fs-type", "xfs");
    given.put("--size", "2Gi");
    given.put("--expand-size", "3Gi");
    given.put("--target-dir", "/t");
    given.put("--staging-dir", "/s");
    given.put("--create-target-command", "mk -t  a");
    given.put("--remove-target-command", "rm -t");
    given.put("--create-staging-command", "mk -s");
    given.put("--remove-staging-command", "rm -s");
    given.put("--check-path-command", "look");
    given.put("--command-timeout", "3");
    given.put("--restart-command", "again now");
    given.put("--log-file", "/log");
    given.put("--second-node-id", "n2");
    given.put("--existing-volume-id", "v9");
    given.put("--attach-limit", "");
    given.put("--repetitions", "5");
    given.put("--name-prefix", "p");
    given.put("--call-timeout", "9");
    given.put("--parallel", "2");
    given.put("--new-connection", "");
    given.put("--only", "CTRL-,NODE-PUB-001");
    given.put("--without", "GROUP-");
    given.put("--engines", "model,Crash");
    given.put("--seed", "42");
    given.put("--kill-command", "kill it");
    given.put("--pid-file", "/pid");
    given.put("--start-command", "run it");
    given.put("--registration-socket", "/reg.sock");
    given.put("--denied-secrets", file("user: nobody\n"));
    given.put("--full-topology", "zone=a,rack=b");
    given.put("--inline-attributes", file("size: 1Gi\n"));
    assertThat(given.keySet()).isEqualTo(names());

    Settings settings = settings(given);
    assertThat(settings.controllerEndpoint()).hasToString("tcp://there:99");
    assertThat(settings.secrets()).containsEntry("CreateVolume", Map.of("user", "me"));
    assertThat(settings.parameters()).isEqualTo(Map.of("kind", "fast"));
    assertThat(settings.mutableParameters()).isEqualTo(Map.of("iops", "7"));
    assertThat(settings.fsType()).isEqualTo("xfs");
    assertThat(settings.snapshotParameters()).isEqualTo(Map.of("keep", "long"));
    assertThat(settings.groupSnapshotParameters()).isEqualTo(Map.of("all", "together"));
    assertThat(settings.accessType()).isEqualTo(Settings.AccessType.BLOCK);
    assertThat(settings.size()).isEqualTo(2L << 30);
    assertThat(settings.expandSize()).isEqualTo(3L << 30);
    assertThat(settings.targetDirectory()).isEqualTo(Path.of("/t"));
    assertThat(settings.stagingDirectory()).isEqualTo(Path.of("/s"));
    assertThat(settings.createTargetCommand()).contains(List.of("mk", "-t", "a"));
    assertThat(settings.removeTargetCommand()).contains(List.of("rm", "-t"));
    assertThat(settings.createStagingCommand()).contains(List.of("mk", "-s"));
    assertThat(settings.removeStagingCommand()).contains(List.of("rm", "-s"));
    assertThat(settings.checkPathCommand()).contains(List.of("look"));
    assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.restartCommand()).contains(List.of("again", "now"));
    assertThat(settings.logFile()).contains(Path.of("/log"));
    assertThat(settings.secondNodeId()).contains("n2");
    assertThat(settings.existingVolumeId()).contains("v9");
    assertThat(settings.attachLimit()).isTrue();
    assertThat(settings.repetitions()).isEqualTo(5);
    assertThat(settings.namePrefix()).isEqualTo("p");
    assertThat(settings.callTimeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(settings.parallelism()).isEqualTo(2);
    assertThat(settings.connectionPerCall()).isTrue();
    assertThat(settings.only()).containsExactly("CTRL-", "NODE-PUB-001");
    assertThat(settings.without()).containsExactly("GROUP-");
    assertThat(settings.engines()).isEqualTo(Set.of(Engine.MODEL, Engine.CRASH));
    assertThat(settings.seed()).isEqualTo(42);
    assertThat(settings.killCommand()).contains(List.of("kill", "it"));
    assertThat(settings.pidFile()).contains(Path.of("/pid"));
    assertThat(settings.startCommand()).contains(List.of("run", "it"));
    assertThat(settings.registrationSocket()).contains(Path.of("/reg.sock"));
    assertThat(settings.deniedSecrets()).isEqualTo(Map.of("user", "nobody"));
    assertThat(settings.inlineAttributes()).contains(Map.of("size", "1Gi"));
    assertThat(settings.fullTopology()).isEqualTo(Map.of("zone", "a", "rack", "b"));
  }

  @Test
  void noEnginesAndUnknownOnes() {
    Map<String, String> given = new LinkedHashMap<>(Map.of("--endpoint", "/x.sock"));
    given.put("--engines", "none");
    assertThat(settings(given).engines()).isEmpty();
    given.put("--engines", "steam");
    assertThatThrownBy(() -> settings(given))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("steam")
        .hasMessageContaining("hostile");
  }

  private static Set<String> names() {
    return CommandSpec.forAnnotatedObject(new CheckOptions()).options().stream()
        .map(option -> option.longestName())
        .collect(Collectors.toSet());
  }

  private static Settings settings(Map<String, String> given) {
    List<String> words = new ArrayList<>();
    given.forEach(
        (name, value) -> {
          words.add(name);
          if (!value.isEmpty()) {
            words.add(value);
          }
        });
    return CommandLine.populateCommand(new CheckOptions(), words.toArray(String[]::new)).settings();
  }

  private String file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "values", ""), text).toString();
  }
}
