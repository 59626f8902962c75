package dev.csijava.hostpath;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The cases of one run of csi-sanity, by how they ended. */
record SanityReport(Set<String> passed, Set<String> failed, Set<String> skipped) {
  private static final String CASE = "[It] ";

  /** Nothing yet. */
  static SanityReport empty() {
    return new SanityReport(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
  }

  /** Reads the XML that the program wrote. */
  static SanityReport read(Path xml) throws Exception {
    SanityReport report = empty();
    NodeList cases =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(xml.toFile())
            .getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      report.add((Element) cases.item(i));
    }
    return report;
  }

  private void add(Element test) {
    String name = test.getAttribute("name");
    if (name.startsWith(CASE)) {
      switch (test.getAttribute("status")) {
        case "passed" -> passed.add(name.substring(CASE.length()));
        case "skipped", "pending" -> skipped.add(name.substring(CASE.length()));
        default -> failed.add(name.substring(CASE.length()));
      }
    }
  }

  /** Takes over how the cases ended that another run did not leave out. */
  void addAll(SanityReport other) {
    passed.addAll(other.passed);
    failed.addAll(other.failed);
    skipped.addAll(other.skipped);
    skipped.removeAll(passed);
  }
}
