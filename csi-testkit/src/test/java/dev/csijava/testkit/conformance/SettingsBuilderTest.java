package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What would make a right driver look wrong is refused when it is said. */
class SettingsBuilderTest {
  private static SettingsBuilder builder() {
    return Settings.forEndpoint("/run/x.sock");
  }

  @Test
  void refusesWhatNoDriverCouldMeet() {
    List<Consumer<SettingsBuilder>> all = new ArrayList<>();
    all.add(b -> b.size(0));
    all.add(b -> b.expandSize(-1));
    all.add(b -> b.size(2).expandSize(2).build());
    all.add(b -> b.callTimeout(Duration.ZERO));
    all.add(b -> b.commandTimeout(Duration.ofSeconds(-1)));
    all.add(b -> b.namePrefix("\u00e4".repeat(25)));
    all.add(b -> b.repetitions(0));
    all.add(b -> b.parallelism(0));
    all.add(b -> b.targetDirectory(Path.of("relative")));
    all.add(b -> b.createTargetCommand(List.of()));
    all.add(b -> b.removeTargetCommand(List.of()));
    all.add(b -> b.createStagingCommand(List.of()));
    all.add(b -> b.removeStagingCommand(List.of()));
    all.add(b -> b.checkPathCommand(List.of()));
    all.add(b -> b.restartCommand(List.of()));
    all.add(b -> b.killCommand(List.of()));
    all.add(b -> b.startCommand(List.of()));
    for (Consumer<SettingsBuilder> one : all) {
      assertThatThrownBy(() -> one.accept(builder())).isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** A driver may refuse a path that is not normalised, and be right. */
  @Test
  void pathsAreNormalised() {
    Settings settings =
        builder().targetDirectory(Path.of("/a/../t")).stagingDirectory(Path.of("/s/./x")).build();
    assertThat(settings.targetDirectory()).isEqualTo(Path.of("/t"));
    assertThat(settings.stagingDirectory()).isEqualTo(Path.of("/s/x"));
  }

  @Test
  void secretsStayAsTheyWereGiven() {
    Map<String, String> mine = new HashMap<>(Map.of("user", "me"));
    SettingsBuilder builder = builder().secrets(Map.of("CreateVolume", mine));
    mine.put("user", "you");
    assertThat(builder.build().secrets()).isEqualTo(Map.of("CreateVolume", Map.of("user", "me")));
  }
}
