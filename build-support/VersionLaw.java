import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A version of a dependency or plugin stands in the root pom's properties, dependencyManagement or
 * pluginManagement and nowhere else; every module carries the root's version; the bill of materials
 * lists every module that somebody may depend on.
 */
final class VersionLaw {
  private static final String BOM = "csi-bom";

  /** Modules that nobody depends on. */
  private static final Set<String> NOT_LISTED =
      Set.of(BOM, "csi-driver-archetype", "benchmarks", "examples");

  /** In the root, a version of something that is declared outside the managed places. */
  private static final Pattern UNMANAGED =
      Pattern.compile(
          "project/(profiles/profile/)?"
              + "(dependencies/dependency"
              + "|build/plugins/plugin"
              + "|build/plugins/plugin/dependencies/dependency"
              + "|build/extensions/extension"
              + "|reporting/plugins/plugin)/version");

  private VersionLaw() {}

  static List<String> findings(Poms poms) {
    List<String> findings = new ArrayList<>();
    String version = poms.root().text("version").orElseThrow();
    checkRoot(poms.root(), findings);
    for (Poms.Pom module : poms.modules()) {
      boolean bom = module.artifact().equals(BOM);
      checkOwnVersion(module, bom, version, findings);
      module.visit(
          (path, element) -> {
            if (isVersion(path)
                && !path.equals("project/parent/version")
                && !(bom && inBom(path))) {
              findings.add(
                  "%s: <%s> at %s; versions stand in the root pom only"
                      .formatted(module.file(), element.getTagName(), path));
            }
            if (bom && path.equals("project/dependencyManagement/dependencies/dependency")) {
              String managed = Poms.textOf(element, "version");
              if (!managed.equals("${project.version}")) {
                findings.add(
                    "%s: %s has version %s instead of ${project.version}"
                        .formatted(module.file(), Poms.textOf(element, "artifactId"), managed));
              }
            }
          });
      if (bom) {
        checkBomIsComplete(module, poms.root(), findings);
      }
    }
    return findings;
  }

  private static void checkRoot(Poms.Pom root, List<String> findings) {
    root.visit(
        (path, element) -> {
          if (UNMANAGED.matcher(path).matches()) {
            findings.add(
                "%s: <version> at %s; it belongs into dependencyManagement or pluginManagement"
                    .formatted(root.file(), path));
          }
        });
  }

  private static void checkOwnVersion(
      Poms.Pom module, boolean bom, String version, List<String> findings) {
    String own =
        (bom ? module.text("version") : module.text("parent", "version")).orElse("missing");
    if (!own.equals(version)) {
      findings.add("%s: version is %s, the root's is %s".formatted(module.file(), own, version));
    }
  }

  /** An element called "version" or "somethingVersion", or a property "version.something". */
  private static boolean isVersion(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.equals("version")
        || name.endsWith("Version") && !name.equals("modelVersion")
        || name.startsWith("version.");
  }

  private static boolean inBom(String path) {
    return path.equals("project/version")
        || path.equals("project/dependencyManagement/dependencies/dependency/version");
  }

  private static void checkBomIsComplete(Poms.Pom bom, Poms.Pom root, List<String> findings) {
    Set<String> published = new TreeSet<>();
    root.visit(
        (path, element) -> {
          if (path.equals("project/modules/module")) {
            published.add(element.getTextContent().strip());
          }
        });
    published.removeAll(NOT_LISTED);
    Set<String> listed = new TreeSet<>();
    bom.visit(
        (path, element) -> {
          if (path.equals("project/dependencyManagement/dependencies/dependency/artifactId")) {
            listed.add(element.getTextContent().strip());
          }
        });
    if (!listed.equals(published)) {
      findings.add("%s lists %s instead of %s".formatted(bom.file(), listed, published));
    }
  }
}
