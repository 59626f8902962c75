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
 * The picture of our modules in the documentation: every arrow {@code a --> b} of its one Mermaid
 * graph is a dependency in a pom, and every dependency of one module on another, tests aside, is an
 * arrow.
 */
final class ModulePicture {
  private static final Pattern GRAPH = Pattern.compile("(?s)```mermaid\n(.*?)```");
  private static final Pattern ARROW =
      Pattern.compile("(?m)^ *([a-z][a-z-]*[a-z]) --> ([a-z][a-z-]*[a-z])$");

  private final Path file;
  private final Set<String> arrows;

  private ModulePicture(Path file, Set<String> arrows) {
    this.file = file;
    this.arrows = arrows;
  }

  static ModulePicture read(Path file) throws IOException {
    Matcher graph = GRAPH.matcher(Files.readString(file));
    if (!graph.find()) {
      throw new IOException(file + " has no Mermaid graph of the modules");
    }
    Set<String> arrows = new TreeSet<>();
    Matcher arrow = ARROW.matcher(graph.group(1));
    while (arrow.find()) {
      arrows.add(arrow.group(1) + " --> " + arrow.group(2));
    }
    return new ModulePicture(file, arrows);
  }

  List<String> findings(Poms poms) {
    Set<String> real = new TreeSet<>();
    for (Poms.Pom module : poms.modules()) {
      for (Poms.Dependency dependency : module.dependencies()) {
        if (dependency.ours() && !dependency.forTests()) {
          real.add(module.artifact() + " --> " + dependency.artifact());
        }
      }
    }
    List<String> findings = new ArrayList<>();
    real.stream()
        .filter(arrow -> !arrows.contains(arrow))
        .forEach(arrow -> findings.add(file + ": the picture lacks \"" + arrow + "\""));
    arrows.stream()
        .filter(arrow -> !real.contains(arrow))
        .forEach(arrow -> findings.add(file + ": no pom has what the picture shows, " + arrow));
    return findings;
  }
}
