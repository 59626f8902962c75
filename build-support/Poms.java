import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The tree's pom files as XML, the root's first among them. */
record Poms(Pom root, List<Pom> modules) {

  /** A dependency as written down; the scope is Maven's default where none stands. */
  record Dependency(String group, String artifact, String scope) {
    String coordinates() {
      return group + ":" + artifact;
    }

    boolean ours() {
      return group.equals("dev.csijava");
    }

    boolean forTests() {
      return scope.equals("test");
    }
  }

  /** One pom.xml. */
  record Pom(Path file, Element project) {
    String artifact() {
      return text("artifactId").orElseThrow();
    }

    Optional<String> text(String... path) {
      Element at = project;
      for (String name : path) {
        Optional<Element> next = child(at, name);
        if (next.isEmpty()) {
          return Optional.empty();
        }
        at = next.get();
      }
      return Optional.of(at.getTextContent().strip());
    }

    List<Dependency> dependencies() {
      List<Dependency> found = new ArrayList<>();
      visit(
          (path, element) -> {
            if (path.equals("project/dependencies/dependency")
                || path.equals("project/profiles/profile/dependencies/dependency")) {
              found.add(
                  new Dependency(
                      textOf(element, "groupId"),
                      textOf(element, "artifactId"),
                      child(element, "scope").map(Poms::content).orElse("compile")));
            }
          });
      return found;
    }

    /** Calls back with every element and its path, as in "project/parent/version". */
    void visit(BiConsumer<String, Element> visitor) {
      visit(project, "project", visitor);
    }

    private static void visit(Element at, String path, BiConsumer<String, Element> visitor) {
      visitor.accept(path, at);
      for (Node node = at.getFirstChild(); node != null; node = node.getNextSibling()) {
        if (node instanceof Element element) {
          visit(element, path + "/" + element.getTagName(), visitor);
        }
      }
    }
  }

  static Poms read(Path root, List<Path> files) throws IOException {
    Map<Path, Pom> poms = new TreeMap<>();
    for (Path file : files) {
      poms.put(file, new Pom(file, parse(file)));
    }
    Pom first = poms.remove(root.resolve("pom.xml"));
    if (first == null) {
      throw new IOException("no pom.xml in " + root.toAbsolutePath());
    }
    return new Poms(first, List.copyOf(poms.values()));
  }

  private static Element parse(Path file) throws IOException {
    try {
      DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
      return builder.parse(file.toUri().toString()).getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  static String textOf(Element parent, String name) {
    return child(parent, name).map(Poms::content).orElse("");
  }

  private static String content(Element element) {
    return element.getTextContent().strip();
  }

  private static Optional<Element> child(Element parent, String name) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        return Optional.of(element);
      }
    }
    return Optional.empty();
  }
}
