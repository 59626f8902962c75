package dev.csijava.testkit.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.Value;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The report's page as a reader has it: in a browser, by keyboard and mouse. */
class PageInBrowserTest {
  private static final String FAILURE = "document.getElementById(\"failure-CTRL-CREATE-002\")";
  private static final String FOUND = "document.getElementById(\"found\").textContent";

  // A browser that was killed may still write a file while its profile is removed.
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory = Path.of("set by JUnit");

  @Test
  void isSearchedAndAFailureIsOpened() throws IOException, InterruptedException {
    assumeTrue(Browser.installed(), "the program chromium is missing");
    Reports.writeTo(directory, ReportsTest.report());
    try (Browser browser = new Browser(directory.resolve("report.html"), directory)) {
      await(browser, FOUND + " == \"558 of 558\"");
      assertThat(is(browser, "document.title.length > 0")).isTrue();

      browser.press("/");
      assertThat(is(browser, "document.activeElement.id == \"search\"")).isTrue();
      browser.type("CTRL-CREATE-002");
      await(browser, FOUND + " == \"1 of 558\"");
      assertThat(is(browser, FAILURE + ".hidden")).isFalse();
      assertThat(is(browser, "document.getElementById(\"CTRL-CREATE-001\").hidden")).isTrue();

      assertThat(is(browser, FAILURE + ".open")).isFalse();
      browser.click("#failure-CTRL-CREATE-002 > summary");
      await(browser, FAILURE + ".open");
      assertThat(browser.value(FAILURE + ".innerText").getStringValue())
          .contains("INVALID_ARGUMENT", "CreateVolume", "</script><b>");
      looksLikeSomething(browser.screenshot());

      browser.press("/");
      browser.press("Escape");
      await(browser, FOUND + " == \"558 of 558\"");
      browser.value(FAILURE + ".open = false");
      browser.press("n");
      await(browser, FAILURE + ".open");
      assertThat(number(browser, "performance.getEntriesByType(\"resource\").length")).isZero();

      browser.value(FAILURE + ".open = false");
      assertThat(browser.pdf()).startsWith("%PDF-".getBytes(StandardCharsets.US_ASCII));
      assertThat(is(browser, FAILURE + ".open")).as("opened for the printer").isTrue();
      browser.showAsPrinted();
      assertThat(is(browser, shown("#failure-CTRL-CREATE-002 pre"))).isTrue();
      assertThat(is(browser, shown(".grid"))).isTrue();
      assertThat(is(browser, shown(".controls"))).isFalse();
      assertThat(is(browser, shown(".keys"))).isFalse();
    }
  }

  private static String shown(String selector) {
    return "document.querySelector(\"" + selector + "\").getClientRects().length > 0";
  }

  /** Kept in target for whoever wants to see it. */
  private static void looksLikeSomething(byte[] png) throws IOException {
    Path kept = Files.createDirectories(Path.of("target", "screenshots"));
    Files.write(kept.resolve("report.png"), png);
    BufferedImage image =
        Objects.requireNonNull(ImageIO.read(new ByteArrayInputStream(png)), "no picture");
    Set<Integer> colors = new HashSet<>();
    for (int x = 0; x < image.getWidth(); x += 3) {
      for (int y = 0; y < image.getHeight(); y += 3) {
        colors.add(image.getRGB(x, y));
      }
    }
    assertThat(image.getWidth()).isGreaterThan(600);
    assertThat(colors).hasSizeGreaterThan(20);
  }

  private static boolean is(Browser browser, String expression) throws IOException {
    return browser.value(expression).getBoolValue();
  }

  private static double number(Browser browser, String expression) throws IOException {
    Value value = browser.value(expression);
    return value.getNumberValue();
  }

  private static void await(Browser browser, String expression)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!is(browser, expression) && System.nanoTime() < end) {
      Thread.sleep(50);
    }
    assertThat(is(browser, expression))
        .as(expression + ", found: " + browser.value(FOUND))
        .isTrue();
  }
}
