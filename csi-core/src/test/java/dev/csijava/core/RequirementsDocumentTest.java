package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** docs/requirements.md says what the code does. */
class RequirementsDocumentTest {
  private static final Path FILE = Path.of("..", "docs", "requirements.md");
  private static final String REWRITE = "csi.docs.rewrite";

  private final RequirementsDocument document = new RequirementsDocument();
  private final ProvenRows proven = ProvenRows.ofAllTests();

  @Test
  void theInventoryIsWhole() {
    assertThat(document.rows()).hasSize(558);
  }

  @Test
  void everyNameInTheCodeIsARow() {
    assertThat(document.rows()).containsKeys(document.named().toArray(String[]::new));
  }

  @Test
  void everyRowThatIsKeptOutsideTheValidationIsNamedInATest() {
    Set<String> unproven = new TreeSet<>(PipelineRequirements.kept().keySet());
    unproven.addAll(PipelineRequirements.keptInPart().keySet());
    unproven.removeAll(proven.byRow().keySet());
    assertThat(unproven).as("rows that no test shows").isEmpty();
  }

  @Test
  void everyRowThatATestNamesIsOneThatTheFrameworkKeepsOrHelpsToKeep() {
    assertThat(proven.byRow().keySet())
        .isSubsetOf(document.rows().keySet())
        .isSubsetOf(document.kept());
  }

  @Test
  void onlyTestsThatTheBuildRunsNameRows() {
    assertThat(proven.claimsWithoutTest()).isEmpty();
  }

  @Test
  void noRowHasTwoKeepers() {
    assertThat(PipelineRequirements.operators().keySet())
        .doesNotContainAnyElementsOf(PipelineRequirements.kept().keySet())
        .doesNotContainAnyElementsOf(ValidatedRequirements.kept().keySet());
    assertThat(PipelineRequirements.keptInPart().keySet())
        .doesNotContainAnyElementsOf(PipelineRequirements.kept().keySet())
        .doesNotContainAnyElementsOf(ValidatedRequirements.kept().keySet());
  }

  /** Run with {@code -Dcsi.docs.rewrite=true} to write the file anew. */
  @Test
  void theDocumentIsUpToDate() throws IOException {
    String text = document.text();
    if (Boolean.getBoolean(REWRITE)) {
      Files.writeString(FILE, text);
    }
    assertThat(Files.readString(FILE))
        .as("%s; after a change run this test with -D%s=true", FILE, REWRITE)
        .isEqualTo(text);
  }
}
