package dev.csijava.testkit.manifests;

import com.google.common.base.Splitter;
import java.util.List;
import java.util.Map;

/** One rule of a role: on these resources of a group these verbs. */
record Rule(String group, List<String> resources, List<String> verbs) {
  private static final String READ = "get list watch";

  /** Resources and verbs with blanks between them. */
  static Rule of(String group, String resources, String verbs) {
    return new Rule(group, words(resources), words(verbs));
  }

  static Rule read(String group, String resources) {
    return of(group, resources, READ);
  }

  /** Reading, and more. */
  static Rule readAnd(String group, String resources, String verbs) {
    return of(group, resources, READ + " " + verbs);
  }

  private static List<String> words(String text) {
    return Splitter.on(' ').splitToList(text);
  }

  Map<String, Object> map() {
    return Entries.of("apiGroups", List.of(group))
        .put("resources", resources)
        .put("verbs", verbs)
        .map();
  }
}
