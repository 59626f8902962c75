package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Sets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** The tables of docs/testing-a-driver.md name the options of check, all and no others. */
class CheckManualTest {
  private static final Pattern OPTION = Pattern.compile("`(--[a-z-]+)[^`]*`");
  private static final Pattern OF_SANITY = Pattern.compile("`-(?:csi\\.)?([a-z]+)`");

  /** The flags of csi-sanity 5.5. */
  private static final Set<String> SANITY =
      Set.of(
          "endpoint",
          "controllerendpoint",
          "mountdir",
          "stagingdir",
          "createmountpathcmd",
          "createstagingpathcmd",
          "createpathcmdtimeout",
          "removemountpathcmd",
          "removestagingpathcmd",
          "removepathcmdtimeout",
          "checkpathcmd",
          "checkpathcmdtimeout",
          "secrets",
          "testvolumeaccesstype",
          "testvolumesize",
          "testvolumeexpandsize",
          "testvolumeparameters",
          "testvolumemutableparameters",
          "testsnapshotparameters",
          "testnodevolumeattachlimit",
          "junitfile",
          "version");

  private final CommandSpec check =
      Objects.requireNonNull(Main.commandLine().getSubcommands().get("check")).getCommandSpec();

  @Test
  void theTablesNameEveryOptionOnce() throws IOException {
    List<String> documented =
        rows("## 2. ", "## 3. ").stream()
            .flatMap(row -> OPTION.matcher(cell(row, 1)).results())
            .map(match -> match.group(1))
            .toList();
    assertThat(documented).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(documented)).isEqualTo(names("--help", "--version"));
  }

  @Test
  void everyFlagOfCsiSanityHasItsCounterpart() throws IOException {
    List<String> rows = rows("## 7. ", "## 8. ");
    assertThat(
            rows.stream()
                .flatMap(row -> OF_SANITY.matcher(cell(row, 1)).results())
                .map(match -> match.group(1)))
        .containsExactlyInAnyOrderElementsOf(SANITY);
    assertThat(rows)
        .allSatisfy(
            row ->
                assertThat(OPTION.matcher(cell(row, 2)).results().map(match -> match.group(1)))
                    .isNotEmpty()
                    .isSubsetOf(names()));
  }

  @Test
  void theHelpSaysWhatEachOptionDoes() {
    assertThat(check.options())
        .allSatisfy(
            option -> assertThat(option.description()).as(option.longestName()).isNotEmpty());
  }

  /** Rows of tables between two headings, without their heads. */
  private static List<String> rows(String from, String to) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("..", "docs", "testing-a-driver.md"));
    return lines.stream()
        .dropWhile(line -> !line.startsWith(from))
        .takeWhile(line -> !line.startsWith(to))
        .filter(line -> line.startsWith("| `"))
        .toList();
  }

  private static String cell(String row, int number) {
    return row.split("\\|", -1)[number];
  }

  private Set<String> names(String... without) {
    Set<String> names =
        check.options().stream()
            .map(option -> option.longestName())
            .collect(Collectors.toCollection(TreeSet::new));
    return new TreeSet<>(Sets.difference(names, Set.of(without)));
  }
}
