package dev.csijava.testkit.manifests;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * What a cluster needs for a driver. Made from equal input it is equal to the letter.
 *
 * @param objects the objects, in the order in which they are to be applied
 * @param notes what people must know of them
 * @since 0.1.0
 */
public record Manifests(List<Map<String, Object>> objects, List<String> notes) {
  private static final int WIDTH = 100;

  /**
   * Keeps copies of the lists.
   *
   * @since 0.1.0
   */
  public Manifests {
    objects = List.copyOf(objects);
    notes = List.copyOf(notes);
  }

  /**
   * Makes them.
   *
   * @throws IllegalArgumentException with a sentence if the driver can't be deployed like that
   * @since 0.1.0
   */
  public static Manifests of(DriverFacts facts, ManifestSettings settings) {
    Plan plan = new Plan(facts, settings);
    List<Map<String, Object>> objects = new ArrayList<>(new ClusterObjects(plan).all());
    objects.addAll(new ClassObjects(plan).all());
    return new Manifests(objects, plan.notes());
  }

  /**
   * As YAML, one document an object, with the notes as comments before them.
   *
   * @param title the first comment, without line breaks
   * @since 0.1.0
   */
  public String yaml(String title) {
    Dump dump =
        new Dump(
            DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setIndicatorIndent(2)
                .setIndentWithIndicator(true)
                .setWidth(WIDTH)
                .setDereferenceAliases(true)
                .build());
    StringBuilder text = new StringBuilder("# " + title + "\n");
    notes.forEach(note -> text.append("# Note: ").append(note).append('\n'));
    for (Map<String, Object> object : objects) {
      text.append("---\n").append(dump.dumpToString(object));
    }
    return text.toString();
  }
}
