package dev.csijava.benchmarks.report;

import dev.csijava.benchmarks.process.DriverPrograms;
import dev.csijava.benchmarks.process.Effort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The command line.
 *
 * @param effort how much is done for a figure
 * @param list only name the questions
 * @param targets only compare what a file of results has with the targets
 * @param json the file of results
 * @param names the beginnings of what is asked for; all if empty
 * @param programs the drivers whose processes are measured
 */
record Arguments(
    Effort effort,
    boolean list,
    boolean targets,
    Path json,
    List<String> names,
    DriverPrograms programs) {
  static final String HELP =
      """
      bin/bench [--short] [NAME...] [--json FILE]   measure; a NAME is the beginning of one
      bin/bench --list                              name what can be measured
      bin/bench --targets [--json FILE]             compare what was measured with the targets
        --short                quick and rough: fewer iterations, smaller parameters
        --once                 each once: whether it works, not how fast
        --json FILE            results, added to what it has; beside it FILE's page as .html;
                               default: target/bench/results.json
        --shipped PROGRAM      the shipped driver's launcher; default: the one that was built
        --class-path PROGRAM   a launcher of the same driver from jars; default: bin/csi-hostpath
        --peer PROGRAM         another driver, which takes --endpoint, --drivername, --nodeid and
                               --statedir; compared in start, memory, restart and versus
        --peer-registrar PROGRAM, --peer-liveness PROGRAM
                               what runs beside it on a node: takes the flags of
                               node-driver-registrar and of livenessprobe\
      """;

  /**
   * @throws IllegalArgumentException with a sentence
   */
  static Arguments parse(List<String> words) {
    Effort effort = Effort.FULL;
    boolean list = false;
    boolean targets = false;
    Path json = Path.of("target/bench/results.json");
    List<String> names = new ArrayList<>();
    DriverPrograms programs = DriverPrograms.NONE;
    for (Iterator<String> rest = words.iterator(); rest.hasNext(); ) {
      String word = rest.next();
      switch (word) {
        case "--short" -> effort = Effort.SHORT;
        case "--once" -> effort = Effort.ONCE;
        case "--list" -> list = true;
        case "--targets" -> targets = true;
        case "--json" -> json = Path.of(value(word, rest));
        case "--shipped" -> programs = programs.withShipped(program(word, rest));
        case "--class-path" -> programs = programs.withClassPath(program(word, rest));
        case "--peer" -> programs = programs.withPeer(program(word, rest));
        case "--peer-registrar" -> programs = programs.withRegistrar(program(word, rest));
        case "--peer-liveness" -> programs = programs.withLiveness(program(word, rest));
        default -> {
          if (word.startsWith("-")) {
            throw new IllegalArgumentException("there is no flag " + word + "\n" + HELP);
          }
          names.add(word);
        }
      }
    }
    return new Arguments(effort, list, targets, json, List.copyOf(names), programs);
  }

  private static Optional<Path> program(String flag, Iterator<String> rest) {
    return Optional.of(Path.of(value(flag, rest)).toAbsolutePath());
  }

  private static String value(String flag, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(flag + " needs a value");
    }
    return rest.next();
  }

  /** What is asked for, in the order of the list. */
  List<Question> questions() {
    if (names.isEmpty()) {
      return Question.ALL;
    }
    List<Question> wanted =
        names.stream().flatMap(name -> Question.beginning(name).stream()).toList();
    return Question.ALL.stream().filter(wanted::contains).toList();
  }

  Path page() {
    String name = json.toString();
    return Path.of(
        (name.endsWith(".json") ? name.substring(0, name.length() - 5) : name) + ".html");
  }
}
