import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Fails the build before anything is compiled when the tree breaks one of our own rules. The root
 * project runs it once, from the root folder: {@code check} reports, {@code apply} formats the Java
 * files in place and reports the rest.
 */
final class CheckTree {
  private static final Set<String> NOT_OURS = Set.of("target", ".git", ".idea", ".vscode");

  private CheckTree() {}

  public static void main(String[] args) throws Exception {
    boolean apply = args.length == 1 && args[0].equals("apply");
    if (!apply && !(args.length == 1 && args[0].equals("check"))) {
      System.err.println("usage: CheckTree check|apply");
      System.exit(2);
    }
    Path root = Path.of("");
    Path cache = root.resolve("target/build-tools/formatted.txt");
    List<String> findings = new ArrayList<>();

    JavaFormat format = new JavaFormat(cache);
    for (Path file : filesEndingIn(root, ".java")) {
      format.add(file);
    }
    if (apply) {
      format.apply().forEach(file -> System.out.println("formatted " + file));
    }
    findings.addAll(format.findings());
    if (findings.stream().anyMatch(finding -> finding.startsWith(JavaFormat.UNFORMATTED))) {
      findings.add("bin/format puts every file into Google Java format");
    }

    Poms poms = Poms.read(root, filesEndingIn(root, "pom.xml"));
    findings.addAll(VersionLaw.findings(poms));
    findings.addAll(ModuleLaw.read(root.resolve("build-support/module-law.txt")).findings(poms));
    findings.addAll(new DocumentLinks().findings(filesEndingIn(root, ".md")));
    findings.addAll(
        new DocumentCommands(filesEndingIn(root, ".java")).findings(filesEndingIn(root, ".md")));
    findings.addAll(ModulePicture.read(root.resolve("docs/architecture.md")).findings(poms));

    findings.forEach(finding -> System.err.println("[ERROR] " + finding));
    System.exit(findings.isEmpty() ? 0 : 1);
  }

  private static List<Path> filesEndingIn(Path root, String ending) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              boolean skip = NOT_OURS.contains(folder.getFileName().toString());
              // A package may be called "target"; Maven's folder lies beside a pom.xml.
              boolean mavens = Files.exists(folder.resolveSibling("pom.xml"));
              // Templates are no project and no Java before somebody generates from them.
              boolean template = folder.endsWith("archetype-resources");
              return skip && mavens || template
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (file.getFileName().toString().endsWith(ending)) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    found.sort(null);
    return found;
  }
}
