package dev.csijava.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every declaration has a comment, and says so when it belongs to one version only. */
class ProtoCommentsTest {

  private static final Path PROTOS = Path.of("src/main/proto");

  private final Map<String, String> comments =
      ProtoFile.comments(PROTOS.resolve("csi/v1/csi.proto"));

  @Test
  void everyDeclarationOfTheInterfaceHasAComment() {
    assertThat(comments).doesNotContainValue("");
  }

  @Test
  void everyDeclarationOfTheRegistrationHasAComment() {
    Map<String, String> registration =
        ProtoFile.comments(PROTOS.resolve("pluginregistration/registration.proto"));

    assertThat(registration).hasSize(13).doesNotContainValue("");
  }

  @Test
  void theCommentsCoverEveryRowOfTheTable() {
    assertThat(comments).containsKeys(versions().keySet().toArray(String[]::new));
  }

  @Test
  void aCommentNamesTheVersionOfWhatIsInOneVersionOnly() {
    List<String> wrong = new ArrayList<>();
    versions()
        .forEach(
            (name, versions) -> {
              String comment = comments.getOrDefault(name, "");
              boolean since113 = comment.contains("ince 1.13");
              boolean only112 = comment.contains("1.12 only");
              if (since113 != versions.equals("1.13") || only112 != versions.equals("1.12")) {
                wrong.add(name + " (" + versions + "): " + comment);
              }
            });
    assertThat(wrong).isEmpty();
  }

  @Test
  void aMissingCommentIsNoticed() {
    assertThat(ProtoFile.comments("// A.\nmessage A {\n  string a = 1;\n}\n"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("A", "A.", "A.a", ""));
  }

  /** The versions of every message, field, enum value and RPC, under our name. */
  private static Map<String, String> versions() {
    Map<String, String> versions = new LinkedHashMap<>();
    SpecTable.messages().forEach(m -> versions.put(m.name(), m.versions()));
    SpecTable.fields().forEach(f -> versions.put(f.message() + "." + ourName(f), f.versions()));
    SpecTable.enumValues().forEach(v -> versions.put(v.enumName() + "." + v.name(), v.versions()));
    SpecTable.rpcs().forEach(r -> versions.put(r.service() + "." + r.name(), r.versions()));
    return versions;
  }

  private static String ourName(SpecTable.Field field) {
    String ours = "mutable_params";
    return field.name().equals(DescriptorRows.PUBLISHED_NAMES.get(field.message() + "." + ours))
        ? ours
        : field.name();
  }
}
