package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.requirement.Requirement;
import dev.csijava.testkit.requirement.RequirementInventory;
import dev.csijava.testkit.requirement.Testability;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CatalogueTest {
  /** Rows that AnswerRules looks at in the answers of all cases. */
  private static final Set<String> WATCHED =
      Set.of(
          "GEN-ERR-001",
          "GEN-ERR-002",
          "GEN-ERR-003",
          "GEN-ERR-004",
          "GEN-FIELD-004",
          "GEN-SIZE-001",
          "GEN-SIZE-002",
          "GEN-COND-001",
          "GEN-TOPO-001",
          "GEN-TOPO-002",
          "GEN-TOPO-003",
          "GEN-TOPO-005",
          "GEN-TOPO-006",
          "GEN-TOPO-007",
          "GEN-TOPO-009",
          "IDENT-CAPS-006");

  private final Set<String> named =
      Catalogue.cases().stream()
          .flatMap(tested -> tested.rows().stream())
          .map(Requirement::id)
          .collect(Collectors.toSet());

  @Test
  void idsOfCasesAreUnique() {
    assertThat(Catalogue.cases().stream().map(Case::id)).doesNotHaveDuplicates();
  }

  @Test
  void everyRowThatIsTestableFromOutsideHasACase() {
    assertThat(
            RequirementInventory.shipped().rows().stream()
                .filter(row -> row.testability() == Testability.OUTSIDE)
                .map(Requirement::id)
                .filter(id -> !named.contains(id) && !WATCHED.contains(id)))
        .isEmpty();
  }

  @Test
  void noCaseClaimsToProveWhatIsUntestable() {
    assertThat(
            RequirementInventory.shipped().rows().stream()
                .filter(row -> row.testability() == Testability.UNTESTABLE)
                .map(Requirement::id)
                .filter(named::contains))
        .isEmpty();
  }
}
