import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Reads the reports that surefire and failsafe wrote since a moment, prints their counts, and fails
 * on a failed test, on a test skipped without permission, on a wrong JDK, on a class that ran fewer
 * tests on the oldest JDK without permission, and on no test at all. Runs on JDK 17.
 *
 * <p>Usage: {@code TestReport MARKER NEWEST OLDEST [CONDITION ...]}, in the root folder. Reports
 * older than the file MARKER do not count. NEWEST and OLDEST are the Java versions that the two
 * runs must have used. A condition is what this machine lacks, as named in allowed-skips.txt. What
 * may run less on the oldest JDK stands in fewer-on-oldest-jdk.txt.
 */
final class TestReport {
  private static final Path ALLOWED = Path.of("build-support", "allowed-skips.txt");
  private static final Path ALLOWED_FEWER = Path.of("build-support", "fewer-on-oldest-jdk.txt");
  private static final String OLDEST_RUN = "-oldest-jdk";
  private static final String ROW = "%-26s %-30s %4s %7s %7s %7s %7s%n";

  /** What one folder of reports holds: one run of one module. */
  private static final class Run {
    private final String module;
    private final String name;
    private final Map<String, Integer> testsByClass = new TreeMap<>();
    private String java = "?";
    private int tests;
    private int failures;
    private int errors;
    private int skipped;

    private Run(String module, String name) {
      this.module = module;
      this.name = name;
    }
  }

  private final Set<String> conditions;
  private final Map<String, Integer> allowedSkips = new TreeMap<>();
  private final Map<String, Map<String, String>> allowed = new HashMap<>();
  private final Map<String, String> allowedFewer = new TreeMap<>();
  private final Map<Path, Run> runs = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  private TestReport(Set<String> conditions) {
    this.conditions = conditions;
  }

  public static void main(String[] args) throws Exception {
    if (args.length < 3) {
      System.err.println("usage: TestReport MARKER NEWEST OLDEST [CONDITION ...]");
      System.exit(2);
    }
    TestReport report = new TestReport(Set.copyOf(List.of(args).subList(3, args.length)));
    report.readAllowed();
    report.readAllowedFewer();
    report.readReports(Files.getLastModifiedTime(Path.of(args[0])), args[1], args[2]);
    System.exit(report.print() ? 0 : 1);
  }

  private void readAllowed() throws IOException {
    for (String line : Files.readAllLines(ALLOWED)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.strip().split("\\s+", 3);
      if (parts.length < 3) {
        throw new IOException(ALLOWED + ": not \"test condition reason\": " + line);
      }
      allowed.computeIfAbsent(parts[0], test -> new HashMap<>()).put(parts[1], parts[2]);
    }
  }

  private void readAllowedFewer() throws IOException {
    for (String line : Files.readAllLines(ALLOWED_FEWER)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.strip().split("\\s+", 3);
      if (parts.length < 3 || !(parts[1].equals("none") || parts[1].equals("some"))) {
        throw new IOException(ALLOWED_FEWER + ": not \"class none|some reason\": " + line);
      }
      allowedFewer.put(parts[0], parts[1]);
    }
  }

  private void readReports(FileTime since, String newest, String oldest) throws Exception {
    List<Path> files;
    try (Stream<Path> tree = Files.find(Path.of(""), 5, (file, attributes) -> isReport(file))) {
      files = tree.sorted().toList();
    }
    for (Path file : files) {
      if (Files.getLastModifiedTime(file).compareTo(since) >= 0) {
        String expected = folder(file).endsWith(OLDEST_RUN) ? oldest : newest;
        read(file, expected);
      }
    }
  }

  private static boolean isReport(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith("TEST-")
        && name.endsWith(".xml")
        && folder(file).matches("(surefire|failsafe)-reports(" + OLDEST_RUN + ")?");
  }

  private static String folder(Path file) {
    return file.getParent() == null ? "" : file.getParent().getFileName().toString();
  }

  private void read(Path file, String expectedJava) throws Exception {
    Path target = file.getParent().getParent();
    Run run =
        runs.computeIfAbsent(
            file.getParent(), each -> new Run(target.getParent().toString(), folder(file)));
    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getDocumentElement();
    run.java = property(suite, "java.specification.version");
    if (!run.java.equals(expectedJava)) {
      problems.add("%s: ran on Java %s instead of %s".formatted(file, run.java, expectedJava));
    }
    NodeList cases = suite.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      count((Element) cases.item(i), run);
    }
  }

  private static String property(Element suite, String name) {
    NodeList properties = suite.getElementsByTagName("property");
    for (int i = 0; i < properties.getLength(); i++) {
      Element property = (Element) properties.item(i);
      if (property.getAttribute("name").equals(name)) {
        return property.getAttribute("value");
      }
    }
    return "?";
  }

  private void count(Element test, Run run) {
    run.tests++;
    String type = test.getAttribute("classname");
    // Parameters and repetitions follow the method's name; a whole class has no method.
    String method = test.getAttribute("name").split("[^\\p{Alnum}_$]", 2)[0];
    String name = method.isEmpty() ? type : type + "." + method;
    run.testsByClass.merge(type, 1, Integer::sum);
    if (has(test, "failure")) {
      run.failures++;
    } else if (has(test, "error")) {
      run.errors++;
    } else if (has(test, "skipped")) {
      run.skipped++;
      skipped(name, type, reasonGiven(test), run);
    }
  }

  private void skipped(String name, String type, String given, Run run) {
    Map<String, String> reasons = allowed.getOrDefault(name, allowed.getOrDefault(type, Map.of()));
    String where = "%s (%s, Java %s)".formatted(name, run.module, run.java);
    for (Map.Entry<String, String> each : reasons.entrySet()) {
      if (each.getKey().equals("always") || conditions.contains(each.getKey())) {
        allowedSkips.merge(where + ": " + each.getValue(), 1, Integer::sum);
        return;
      }
    }
    problems.add("skipped without an entry in %s: %s: %s".formatted(ALLOWED, where, given));
  }

  private static boolean has(Element test, String child) {
    return test.getElementsByTagName(child).getLength() > 0;
  }

  private static String reasonGiven(Element test) {
    Element skipped = (Element) test.getElementsByTagName("skipped").item(0);
    String message = skipped.getAttribute("message");
    return message.isEmpty() ? "no reason given" : message;
  }

  /** Says whether all is well. */
  private boolean print() {
    allowedSkips.forEach(
        (what, times) -> System.out.printf("allowed skip, %d times: %s%n", times, what));
    Run total = new Run("total", "");
    total.java = "";
    System.out.println();
    System.out.printf(ROW, "module", "run", "java", "tests", "failed", "errors", "skipped");
    for (Run run : runs.values()) {
      printRow(run);
      total.tests += run.tests;
      total.failures += run.failures;
      total.errors += run.errors;
      total.skipped += run.skipped;
    }
    printRow(total);
    int failed = total.failures + total.errors;
    if (failed == 0) {
      checkSecondRuns();
    }
    if (total.tests == 0) {
      problems.add("no test ran");
    }
    problems.forEach(problem -> System.out.println("[ERROR] " + problem));
    System.out.printf(
        "%d passed, %d failed, %d skipped%n",
        total.tests - failed - total.skipped, failed, total.skipped);
    return problems.isEmpty() && failed == 0;
  }

  private static void printRow(Run run) {
    System.out.printf(
        ROW, run.module, run.name, run.java, run.tests, run.failures, run.errors, run.skipped);
  }

  /** A module that asks for a second run must have run the same tests in both. */
  private void checkSecondRuns() {
    Set<String> unused = new TreeSet<>(allowedFewer.keySet());
    for (Map.Entry<Path, Run> each : runs.entrySet()) {
      Run first = each.getValue();
      if (first.name.endsWith(OLDEST_RUN) || !asksForSecondRun(Path.of(first.module))) {
        continue;
      }
      Run second = runs.get(each.getKey().resolveSibling(first.name + OLDEST_RUN));
      Map<String, Integer> again = second == null ? Map.of() : second.testsByClass;
      Set<String> classes = new TreeSet<>(first.testsByClass.keySet());
      classes.addAll(again.keySet());
      for (String type : classes) {
        int newest = first.testsByClass.getOrDefault(type, 0);
        int oldest = again.getOrDefault(type, 0);
        String allowance = allowedFewer.getOrDefault(type, "all");
        unused.remove(type);
        if (!isAsAllowed(allowance, newest, oldest)) {
          problems.add(
              "%s, %s: %d tests on the newest JDK, %d on the oldest, of which %s allows %s there"
                  .formatted(first.module, type, newest, oldest, ALLOWED_FEWER, allowance));
        }
      }
    }
    unused.forEach(
        type -> System.out.printf("no test of %s ran, which %s names%n", type, ALLOWED_FEWER));
  }

  private static boolean isAsAllowed(String allowance, int newest, int oldest) {
    return switch (allowance) {
      case "none" -> oldest == 0;
      case "some" -> oldest > 0 && oldest < newest;
      default -> oldest == newest;
    };
  }

  private static boolean asksForSecondRun(Path module) {
    try {
      return Files.readString(module.resolve("pom.xml")).contains("<oldest.jdk.test.phase>test<");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
