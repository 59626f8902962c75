package dev.csijava.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README shows is what is compiled and run. */
class ReadmeTest {
  private static final Path SOURCE =
      Path.of("src/main/java/dev/csijava/examples/quickstart/MemoDriver.java");
  private static final Path README = Path.of("../../README.md");

  @Test
  void theDriverOfTheReadmeIsTheOneThatIsTested() throws IOException {
    String source = only(Files.readString(SOURCE), "(?s)// region driver\n(.*?)// endregion\n");
    String shown = only(Files.readString(README), "(?s)```java\n(public final class .*?)```\n");

    assertThat(shown).isEqualTo(source);
  }

  @Test
  void itsMethodsHaveThirtyLinesThatSaySomething() throws IOException {
    String source = only(Files.readString(SOURCE), "(?s)// region driver\n(.*?)// endregion\n");

    assertThat(source.lines().filter(line -> !line.matches("[ })]*|  @Override")).count())
        .isLessThanOrEqualTo(30);
  }

  private static String only(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("no %s", pattern).isTrue();
    return matcher.group(1);
  }
}
