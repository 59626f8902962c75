package dev.csijava.testkit.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.spec.v1.VolumeCapability;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoadSettingsTest {
  private static LoadSettings of(LoadWork work, int volumes, int concurrency, Duration duration) {
    return new LoadSettings(
        work,
        volumes,
        concurrency,
        duration,
        Duration.ZERO,
        false,
        1,
        VolumeCapability.getDefaultInstance(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        Duration.ofSeconds(1));
  }

  @Test
  void refusesWhatMakesNoSense() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> of(LoadWork.PUBLISH, 3, 4, second)).hasMessageContaining("at least 4");
    assertThatThrownBy(() -> of(LoadWork.STATS, 0, 1, second)).hasMessage("stats needs a volume");
    assertThatThrownBy(() -> of(LoadWork.PROBE, -1, 1, second)).hasMessageContaining("positive");
    assertThatThrownBy(() -> of(LoadWork.PROBE, 0, 1, Duration.ZERO)).hasMessageContaining("more");
  }
}
