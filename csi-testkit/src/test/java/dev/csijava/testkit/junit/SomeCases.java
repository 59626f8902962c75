package dev.csijava.testkit.junit;

import dev.csijava.testkit.conformance.Case;
import dev.csijava.testkit.conformance.Catalogue;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.fake.FakeDriver;
import java.io.IOException;
import java.util.List;

/** A vendor's class with a few cases; {@link JunitSixTest} runs it under JUnit 6. */
class SomeCases extends CsiConformance {
  @Override
  protected DriverUnderTest start() throws IOException {
    FakeDriver driver = FakeDriver.builder().start();
    Settings settings = Settings.forEndpoint(driver.endpoint()).repetitions(2).build();
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
    return Catalogue.cases().stream()
        .filter(one -> one.id().startsWith("IDENT-") || one.id().startsWith("CTRL-CREATE-00"))
        .toList();
  }
}
