package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.options.GoArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Picocli is the measure: the same command line gives the same fields. */
class PlainFlagsTest {
  private static final List<String> SWITCHED = List.of("true", "false", "T", "f", "1", "0");

  private static List<OptionSpec> options() {
    return Main.commandLine(Map.of()).getCommandSpec().options();
  }

  static Stream<String> names() {
    return options().stream()
        .filter(option -> !option.usageHelp() && !option.versionHelp())
        .flatMap(option -> Stream.of(option.names()));
  }

  private static List<String> values(String name) {
    OptionSpec option =
        options().stream()
            .filter(each -> List.of(each.names()).contains(name))
            .findFirst()
            .orElseThrow();
    if (option.type() == boolean.class) {
      return SWITCHED;
    }
    return option.type() == int.class || option.type() == long.class
        ? List.of("7", "-1", "+3", "007")
        : List.of("a", "/a/b", "unix:///a=b", "a,b", "x y", "\"q\"", "${HOME}", "@a", "-1", "''");
  }

  private static Main byPicocli(String... arguments) {
    CommandLine commandLine = Main.commandLine(Map.of());
    commandLine.parseArgs(GoArguments.normalise(commandLine.getCommandSpec(), arguments));
    return commandLine.getCommand();
  }

  private static void isReadAlike(String... arguments) {
    Main plain = new Main(Map.of());
    assertThat(plain.plainFlags().read(arguments)).isTrue();
    assertThat(plain)
        .usingRecursiveComparison()
        .ignoringFields("spec")
        .isEqualTo(byPicocli(arguments));
  }

  @Test
  void defaultsAreThoseOfPicocli() {
    isReadAlike();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aFlagIsReadAsPicocliReadsIt(String name) {
    List<String> values = values(name);
    List<String> all = new ArrayList<>();
    for (String value : values) {
      String joined = name + "=" + value;
      isReadAlike(joined);
      isReadAlike(joined.substring(1));
      if (!values.equals(SWITCHED)) {
        isReadAlike(name, value);
      }
      all.add(joined);
    }
    isReadAlike(all.toArray(String[]::new));
  }

  @Test
  void aSwitchNeedsNoValue() {
    isReadAlike("--enable-attach", "-enable-topology=false", "--enable-snapshot-metadata");
  }

  /** It is picocli that has the words for these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "--version",
        "--no-such-flag",
        "--no-such-flag=1",
        "volumes",
        "--",
        "-",
        "",
        "--enable-attach=perhaps",
        "--enable-attach=",
        "--max-volume-size=much",
        "--max-volume-size=99999999999999999999",
        "--v=1.5",
        "--statedir",
        "--statedir=",
        "--statedir=\0"
      })
  void whatIsNotPlainIsLeftToPicocliAndNothingIsSet(String argument) {
    Main plain = new Main(Map.of());
    assertThat(plain.plainFlags().read("--mode=node", argument)).isFalse();
    assertThat(plain).usingRecursiveComparison().isEqualTo(new Main(Map.of()));
  }

  @Test
  void aSwitchDoesNotTakeTheNextArgument() {
    assertThat(new Main(Map.of()).plainFlags().read("--enable-attach", "true")).isFalse();
  }
}
