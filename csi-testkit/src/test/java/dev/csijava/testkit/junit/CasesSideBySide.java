package dev.csijava.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.conformance.Case;
import dev.csijava.testkit.conformance.CaseBody;
import dev.csijava.testkit.conformance.Catalogue;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.fake.FakeDriver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;

/**
 * A vendor's class with cases that see each other: some of those that may stand beside others do,
 * and those that must be alone are. {@link JunitSixTest} runs it in parallel.
 */
class CasesSideBySide extends CsiConformance {
  private static final int BESIDE = 8;
  private static final int ALONE = 3;
  private static final int LONG_ENOUGH_TO_BE_SEEN_MILLIS = 100;

  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  @Override
  protected DriverUnderTest start() throws IOException {
    FakeDriver driver = FakeDriver.builder().start();
    Settings settings = Settings.forEndpoint(driver.endpoint()).build();
    return new DriverUnderTest() {
      @Override
      public Settings settings() {
        return settings;
      }

      @Override
      public void close() {
        driver.close();
      }
    };
  }

  @Override
  protected List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (int i = 0; i < BESIDE; i++) {
      cases.add(seen("beside-" + i, false));
    }
    for (int i = 0; i < ALONE; i++) {
      cases.add(seen("alone-" + i, true));
    }
    return cases;
  }

  @AfterAll
  void someStoodBesideOthers() {
    assertThat(most).hasValueGreaterThan(1);
  }

  private void awaitCompany() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (most.get() < 2 && System.nanoTime() < end) {
      Thread.sleep(5);
    }
  }

  private Case seen(String id, boolean alone) {
    Case like = Catalogue.cases().get(0);
    CaseBody body =
        c -> {
          int others = running.getAndIncrement();
          most.accumulateAndGet(others + 1, Math::max);
          try {
            c.check(!alone || others == 0, "no other case", others + " others");
            if (alone) {
              Thread.sleep(LONG_ENOUGH_TO_BE_SEEN_MILLIS);
            } else {
              awaitCompany();
            }
            int now = running.get();
            c.check(!alone || now == 1, "no other case meanwhile", now + " cases");
          } finally {
            running.decrementAndGet();
          }
        };
    return new Case(id, "Sees the others", like.rows(), alone, body);
  }
}
