package dev.csijava.examples.folders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code that docs/writing-a-driver.md shows is what is compiled and run. */
class DocumentTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/csijava/examples/folders");
  private static final Path DOCUMENT = Path.of("../../docs/writing-a-driver.md");

  @Test
  void everyBlockOfJavaIsInTheSources() throws IOException {
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.toList()) {
        sources.append(Files.readString(file));
      }
    }
    List<String> blocks =
        Pattern.compile("(?s)```java\n(.*?)```\n")
            .matcher(Files.readString(DOCUMENT))
            .results()
            .map((MatchResult result) -> result.group(1))
            .toList();
    assertThat(blocks)
        .hasSizeGreaterThan(3)
        .allSatisfy(block -> assertThat(sources.toString()).contains(block));
  }
}
