package dev.csijava.core.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OperationSettingsTest {
  @Test
  void byDefaultACallWaitsHalfASecondAndNobodyListens() {
    assertThat(OperationSettings.defaults())
        .isEqualTo(new OperationSettings(Duration.ofMillis(500), OperationListener.NONE));
  }

  @Test
  void everyPropertyCanBeChanged() {
    OperationListener listener = new OperationListener() {};
    OperationSettings changed =
        OperationSettings.defaults().withLockWait(Duration.ofSeconds(2)).withListener(listener);
    assertThat(changed).isEqualTo(new OperationSettings(Duration.ofSeconds(2), listener));
    assertThat(changed).hasNoNullFieldsOrProperties();
  }

  @Test
  void aWaitThatMakesNoSenseIsRefused() {
    OperationSettings defaults = OperationSettings.defaults();
    assertThatThrownBy(() -> defaults.withLockWait(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> defaults.withLockWait(Duration.ofHours(2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(defaults.withLockWait(Duration.ZERO).lockWait()).isZero();
  }
}
