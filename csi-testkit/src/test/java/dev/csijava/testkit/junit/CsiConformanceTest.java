package dev.csijava.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.fake.FakeDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a vendor's class begins and ends, where something is wrong with it. */
class CsiConformanceTest {
  @TempDir Path directory = Path.of("set by JUnit");

  private final AtomicInteger closed = new AtomicInteger();

  private CsiConformance tests(List<String> only, Optional<Path> report) {
    return new CsiConformance() {
      @Override
      protected DriverUnderTest start() throws IOException {
        FakeDriver driver = FakeDriver.builder().start();
        Settings settings = Settings.forEndpoint(driver.endpoint()).only(only).build();
        return new DriverUnderTest() {
          @Override
          public Settings settings() {
            return settings;
          }

          @Override
          public void close() {
            closed.incrementAndGet();
            driver.close();
          }
        };
      }

      @Override
      protected Optional<Path> reportDirectory() {
        return report;
      }
    };
  }

  @Test
  void aChoiceThatLeavesNoCaseIsNoSuccess() {
    CsiConformance tests = tests(List.of("CTRL-CRAETE"), Optional.empty());
    assertThatThrownBy(tests::connect)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("leave no case to run");
    assertThatCode(tests::finish).doesNotThrowAnyException();
    assertThat(closed).hasValue(1);
  }

  @Test
  void theDriverIsEndedAlsoWhereItsReportCannotBeWritten() throws Exception {
    Path file = Files.createFile(directory.resolve("report"));
    CsiConformance tests = tests(List.of(), Optional.of(file));
    tests.connect();
    assertThatThrownBy(tests::finish).isInstanceOf(IOException.class);
    assertThat(closed).hasValue(1);
  }
}
