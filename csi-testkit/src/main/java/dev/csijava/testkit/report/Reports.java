package dev.csijava.testkit.report;

import dev.csijava.testkit.conformance.RunReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes what a run found to files.
 *
 * @since 0.1.0
 */
public final class Reports {
  private Reports() {}

  /**
   * Writes report.html and junit.xml into a directory, which is made if need be.
   *
   * @since 0.1.0
   */
  public static void writeTo(Path directory, RunReport report) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("report.html"), HtmlPage.of(report));
    writeJunit(directory.resolve("junit.xml"), report);
  }

  /**
   * Writes JUnit XML to a file.
   *
   * @since 0.1.0
   */
  public static void writeJunit(Path file, RunReport report) throws IOException {
    Files.writeString(file, JunitXml.of(report));
  }
}
