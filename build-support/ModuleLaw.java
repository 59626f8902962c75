import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a module may depend on. The table is a text file of lines {@code module: entry, entry, ...};
 * an entry is {@code group:artifact}, {@code group:*}, the name of one of our modules, or {@code
 * !module} for one that it must not reach by any path, its tests included. Test dependencies are
 * otherwise free. A module that is not in the table fails.
 */
final class ModuleLaw {
  private final Path file;
  private final Map<String, Set<String>> rules;

  private ModuleLaw(Path file, Map<String, Set<String>> rules) {
    this.file = file;
    this.rules = rules;
  }

  static ModuleLaw read(Path file) throws IOException {
    Map<String, Set<String>> rules = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(": ");
      if (colon < 0 && !line.endsWith(":")) {
        throw new IOException(file + ": not a line \"module: entry, ...\": " + line);
      }
      String module = line.substring(0, colon < 0 ? line.length() - 1 : colon);
      Set<String> entries = new TreeSet<>();
      for (String entry : line.substring(module.length() + 1).split(",", -1)) {
        if (!entry.isBlank()) {
          entries.add(entry.strip());
        }
      }
      rules.put(module, entries);
    }
    return new ModuleLaw(file, rules);
  }

  List<String> findings(Poms poms) {
    List<String> findings = new ArrayList<>();
    Map<String, Poms.Pom> byName = new HashMap<>();
    poms.modules().forEach(module -> byName.put(module.artifact(), module));
    for (Poms.Pom module : poms.modules()) {
      Set<String> allowed = rules.get(module.artifact());
      if (allowed == null) {
        findings.add("%s has no line for module %s".formatted(file, module.artifact()));
        continue;
      }
      for (Poms.Dependency dependency : module.dependencies()) {
        if (!dependency.forTests() && !permits(allowed, dependency)) {
          findings.add(
              "%s: %s must not depend on %s (%s)"
                  .formatted(module.file(), module.artifact(), dependency.coordinates(), file));
        }
      }
      Set<String> reached = new TreeSet<>();
      reach(module, true, byName, reached);
      for (String name : reached) {
        if (allowed.contains("!" + name)) {
          findings.add(
              "%s: %s reaches %s, which it must never do (%s)"
                  .formatted(module.file(), module.artifact(), name, file));
        }
      }
    }
    return findings;
  }

  private static boolean permits(Set<String> allowed, Poms.Dependency dependency) {
    return dependency.ours()
        ? allowed.contains(dependency.artifact())
        : allowed.contains(dependency.coordinates()) || allowed.contains(dependency.group() + ":*");
  }

  /** Collects our modules on the class path; a dependency's own test dependencies are not on it. */
  private static void reach(
      Poms.Pom from, boolean withTests, Map<String, Poms.Pom> byName, Set<String> reached) {
    for (Poms.Dependency dependency : from.dependencies()) {
      if (!dependency.ours() || dependency.forTests() && !withTests) {
        continue;
      }
      Poms.Pom next = byName.get(dependency.artifact());
      if (reached.add(dependency.artifact()) && next != null) {
        reach(next, false, byName, reached);
      }
    }
  }
}
