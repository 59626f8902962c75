package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.csijava.hostpath.options.GoArguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** docs/hostpath.md and the README name the flags that there are, all and no others. */
class FlagsDocumentTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern FLAG = Pattern.compile("`(--?[a-z-]+)`");

  /** One row speaks for all of these. */
  private static final String GO_LOGS = "Flags of Go's log package";

  private final CommandLine program = Main.commandLine(Map.of());

  @Test
  void theTableHasARowForEveryFlag() throws IOException {
    List<String> documented;
    try (Stream<String> lines = Files.lines(ROOT.resolve("docs/hostpath.md"))) {
      documented =
          lines
              .dropWhile(line -> !line.equals("## Flags"))
              .takeWhile(line -> !line.equals("## Capabilities"))
              .filter(line -> line.startsWith("| `"))
              .flatMap(line -> FLAG.matcher(line.split("\\|", -1)[1]).results())
              .map(match -> match.group(1).equals("-v") ? "--v" : match.group(1))
              .toList();
    }
    assertThat(documented)
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(
            program.getCommandSpec().options().stream()
                .filter(option -> !String.join("", option.description()).startsWith(GO_LOGS))
                .flatMap(option -> Stream.of(option.names()))
                .filter(name -> name.startsWith("--") && !name.equals("--h"))
                .toList());
  }

  @Test
  void theHelpSaysWhatEachFlagDoes() {
    assertThat(program.getCommandSpec().options())
        .allSatisfy(
            option -> assertThat(option.description()).as(option.longestName()).isNotEmpty())
        .noneMatch(OptionSpec::hidden);
  }

  @Test
  void theCommandsOfTheReadmeAreTaken() throws IOException {
    List<String> commands =
        Pattern.compile("^bin/csi-hostpath (.*)$", Pattern.MULTILINE)
            .matcher(Files.readString(ROOT.resolve("README.md")))
            .results()
            .map((MatchResult match) -> match.group(1))
            .toList();
    assertThat(commands)
        .isNotEmpty()
        .allSatisfy(
            command ->
                assertThatCode(
                        () ->
                            program.parseArgs(
                                GoArguments.normalise(
                                    program.getCommandSpec(), command.split(" +", -1))))
                    .doesNotThrowAnyException());
  }
}
