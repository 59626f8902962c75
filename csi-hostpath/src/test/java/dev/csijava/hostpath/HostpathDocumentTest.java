package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.OptionSpec;

/** docs/hostpath.md lists every flag and every call, and each fault with tests that there are. */
class HostpathDocumentTest {
  private static final Path ROOT = Path.of("..");
  private static final Path FILE = ROOT.resolve("docs/hostpath.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** Those of Go's log package have one row together, as they are documented with Go. */
  private static final Set<String> LOG_FLAGS =
      Set.of(
          "--v",
          "--logtostderr",
          "--alsologtostderr",
          "--skip_headers",
          "--skip_log_headers",
          "--one_output",
          "--add_dir_header",
          "--legacy_stderr_threshold_behavior",
          "--stderrthreshold",
          "--log_dir",
          "--log_file",
          "--log_file_max_size",
          "--log_backtrace_at",
          "--vmodule");

  /** The rows below a heading, each as its cells. */
  private static List<List<String>> rows(String heading) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(FILE)) {
      if (line.startsWith("## ")) {
        inside = line.equals("## " + heading);
      } else if (inside && line.startsWith("| ")) {
        rows.add(
            Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1))
                .map(String::strip)
                .toList());
      }
    }
    assertThat(rows).as("the table below \"%s\"", heading).hasSizeGreaterThan(1);
    return rows.subList(1, rows.size());
  }

  private static List<String> codes(String cell) {
    return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
  }

  private static List<OptionSpec> options() {
    return Main.commandLine(Map.of()).getCommandSpec().options();
  }

  @Test
  void everyFlagHasARowAndEveryRowIsAboutFlagsThatThereAre() throws IOException {
    Set<String> named = new TreeSet<>();
    for (List<String> row : rows("Flags")) {
      codes(row.getFirst()).stream().filter(name -> name.startsWith("--")).forEach(named::add);
    }
    Set<String> known =
        options().stream()
            .map(OptionSpec::longestName)
            .collect(Collectors.toCollection(TreeSet::new));
    options().stream().flatMap(option -> Stream.of(option.names())).forEach(known::add);
    known.removeAll(LOG_FLAGS);
    known.remove("--h");

    assertThat(named).isEqualTo(known);
  }

  @Test
  void defaultsAreThoseOfTheProgram() throws IOException {
    Map<String, String> defaults = new HashMap<>();
    for (OptionSpec option : options()) {
      if (option.defaultValue() != null) {
        Stream.of(option.names()).forEach(name -> defaults.put(name, option.defaultValue()));
      }
    }
    int compared = 0;
    for (List<String> row : rows("Flags")) {
      List<String> said = codes(row.get(1));
      for (String name : codes(row.getFirst())) {
        boolean plain = said.size() == 1 && row.get(1).length() == said.getFirst().length() + 2;
        if (plain && defaults.containsKey(name)) {
          assertThat(said).as("the default of %s", name).containsExactly(defaults.get(name));
          compared++;
        }
      }
    }
    assertThat(compared).isGreaterThan(15);
  }

  @Test
  void everyCallHasARow() throws IOException {
    Set<String> named = new TreeSet<>();
    for (List<String> row : rows("Calls")) {
      named.addAll(List.of(row.getFirst().split(",\\s*", -1)));
    }
    List<String> calls =
        Stream.of(
                IdentityGrpc.getServiceDescriptor(),
                ControllerGrpc.getServiceDescriptor(),
                GroupControllerGrpc.getServiceDescriptor(),
                SnapshotMetadataGrpc.getServiceDescriptor(),
                NodeGrpc.getServiceDescriptor())
            .map(ServiceDescriptor::getMethods)
            .flatMap(methods -> methods.stream().map(MethodDescriptor::getBareMethodName))
            .map(Objects::requireNonNull)
            .toList();

    assertThat(named).containsAll(calls);
  }

  @Test
  void everyFaultHasTestsAndTheseAreThere() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (String module : List.of("csi-core", "csi-hostpath")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
        }
      }
    }
    for (List<String> row : rows("Faults of the Go driver")) {
      assertThat(codes(row.get(1))).as("tests of: %s", row.getFirst()).isNotEmpty();
      for (String test : codes(row.get(1))) {
        MatchResult named =
            Pattern.compile("(\\w+)#(\\w+)").matcher(test).results().findFirst().orElseThrow();
        assertThat(sources.getOrDefault(named.group(1), ""))
            .as(test)
            .contains("void " + named.group(2) + "(");
      }
    }
  }
}
