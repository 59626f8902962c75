package dev.csijava.examples.existing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README tells how to start what is compiled. */
class ReadmeTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/csijava/examples/existing");

  @Test
  void everySettingOfTheProgramIsInTheReadme() throws IOException {
    List<String> settings =
        Pattern.compile("\"([A-Z]+_[A-Z]+)\"")
            .matcher(Files.readString(SOURCES.resolve("ExistingDriver.java")))
            .results()
            .map(found -> found.group(1))
            .toList();

    assertThat(settings).hasSizeGreaterThan(2);
    assertThat(Files.readString(Path.of("README.md"))).contains(settings);
  }

  @Test
  void everyClassIsInTheReadme() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      assertThat(Files.readString(Path.of("README.md")))
          .contains(
              files
                  .map(file -> file.getFileName().toString().replace(".java", ""))
                  .filter(name -> !name.equals("package-info"))
                  .map(name -> "`" + name + "`")
                  .toList());
    }
  }
}
