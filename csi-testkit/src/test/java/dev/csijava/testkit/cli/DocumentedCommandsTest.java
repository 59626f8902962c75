package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What our documents tell people to type is what {@code bin/csi} takes. */
class DocumentedCommandsTest {
  private static final Path ROOT = Path.of("..");

  /** A command in a block of code, up to a comment, a redirection, a pipe or the background. */
  private static final Pattern IN_BLOCK =
      Pattern.compile("^ *bin/csi ((?:\"[^\"]*\"|'[^']*'|[^\"'#>|&\n])*)", Pattern.MULTILINE);

  private static final Pattern IN_TEXT = Pattern.compile("`bin/csi ([a-z]+[^`]*)`");
  private static final Pattern WORD = Pattern.compile("((?:\"[^\"]*\"|'[^']*'|[^\\s\"'])+)");

  private static List<Path> documents() throws IOException {
    try (Stream<Path> files =
        Files.find(ROOT, 4, (file, attributes) -> attributes.isRegularFile())) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".md"))
          .filter(file -> !file.toString().matches(".*/(target|\\.git)/.*"))
          .sorted()
          .toList();
    }
  }

  private static String[] words(String command) {
    return WORD.matcher(command)
        .results()
        .map(MatchResult::group)
        .map(word -> word.replaceAll("[\"']", ""))
        .toArray(String[]::new);
  }

  private static void parse(String command) {
    Main.commandLine().parseArgs(words(command));
  }

  @Test
  void everyCommandInABlockOfCodeIsTaken() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path document : documents()) {
      String[] parts = Files.readString(document).split("(?m)^ *```.*$", -1);
      for (int i = 1; i < parts.length; i += 2) {
        String block = parts[i].replaceAll("\\\\\n *", "");
        IN_BLOCK.matcher(block).results().map(match -> match.group(1)).forEach(found::add);
      }
    }
    assertThat(found)
        .hasSizeGreaterThan(10)
        .allSatisfy(command -> assertThatCode(() -> parse(command)).doesNotThrowAnyException());
  }

  @Test
  void everyCommandInTheTextHasTheOptionsThatItNames() throws IOException {
    int found = 0;
    for (Path document : documents()) {
      for (MatchResult match : IN_TEXT.matcher(Files.readString(document)).results().toList()) {
        String[] words = words(match.group(1));
        Map<String, CommandLine> commands = Main.commandLine().getSubcommands();
        assertThat(commands).as(document.toString()).containsKey(words[0]);
        CommandLine command = Objects.requireNonNull(commands.get(words[0]));
        for (String word : words) {
          if (word.startsWith("--")) {
            assertThat(command.getCommandSpec().optionsMap())
                .as("%s: bin/csi %s", document, match.group(1))
                .containsKey(word.split("=", 2)[0]);
          }
        }
        found++;
      }
    }
    assertThat(found).isGreaterThan(3);
  }

  @Test
  void aCommandThatIsNoneWouldBeFound() {
    assertThatThrownBy(() -> parse("check --endpoint unix:///a --no-such-option"))
        .isInstanceOf(ParameterException.class);
    assertThat(words("load --a='b c' \"d e\"")).containsExactly("load", "--a=b c", "d e");
  }
}
