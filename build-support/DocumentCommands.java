import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a block of code in our documents tells people to start is in the tree: a program of {@code
 * bin}, a module that Maven is to build, a class of ours, a test by its name.
 */
final class DocumentCommands {
  private static final Pattern PROGRAM = Pattern.compile("(?:^|[ (])(bin/[a-z-]+)");
  private static final Pattern MODULES = Pattern.compile("\\bmvn .*?-pl ([^ ]+)");
  private static final Pattern OUR_CLASS =
      Pattern.compile("\\bdev\\.csijava(?:\\.[a-z]+)+\\.([A-Z]\\w*)");
  private static final Pattern TEST = Pattern.compile("-Dtest='?([A-Za-z]+)");

  private final Set<String> classes = new TreeSet<>();

  DocumentCommands(List<Path> javaFiles) {
    javaFiles.forEach(file -> classes.add(file.getFileName().toString().replace(".java", "")));
  }

  List<String> findings(List<Path> documents) throws IOException {
    List<String> findings = new ArrayList<>();
    for (Path document : documents) {
      boolean code = false;
      int number = 0;
      for (String line : Files.readAllLines(document)) {
        number++;
        if (line.strip().startsWith("```")) {
          code = !code;
        } else if (code) {
          for (String missing : missing(line)) {
            findings.add("%s:%d: there is no %s".formatted(document, number, missing));
          }
        }
      }
    }
    return findings;
  }

  private List<String> missing(String line) {
    List<String> missing = new ArrayList<>();
    Matcher program = PROGRAM.matcher(line);
    while (program.find()) {
      if (!Files.isExecutable(Path.of(program.group(1)))) {
        missing.add(program.group(1));
      }
    }
    Matcher modules = MODULES.matcher(line);
    while (modules.find()) {
      for (String module : modules.group(1).split(",", -1)) {
        if (!Files.exists(Path.of(module, "pom.xml"))) {
          missing.add("module " + module);
        }
      }
    }
    Matcher named = OUR_CLASS.matcher(line);
    while (named.find()) {
      if (!classes.contains(named.group(1))) {
        missing.add("class " + named.group());
      }
    }
    Matcher test = TEST.matcher(line);
    while (test.find()) {
      if (classes.stream().noneMatch(name -> name.startsWith(test.group(1)))) {
        missing.add("test " + test.group(1));
      }
    }
    return missing;
  }
}
