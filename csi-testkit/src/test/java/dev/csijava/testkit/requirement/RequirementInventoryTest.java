package dev.csijava.testkit.requirement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RequirementInventoryTest {
  private final RequirementInventory inventory = RequirementInventory.shipped();

  @Test
  void holdsEveryRowOnce() {
    assertThat(inventory.rows()).hasSize(558);
    assertThat(inventory.rows().stream().map(Requirement::id)).doesNotHaveDuplicates();
  }

  @Test
  void countsOfTheServicesAreThoseOfTheSpecificationsNotes() {
    assertThat(
            inventory.rows().stream()
                .filter(row -> !row.id().startsWith("V113-"))
                .collect(Collectors.groupingBy(Requirement::service, Collectors.counting())))
        .containsEntry("General", 96L)
        .containsEntry("Identity", 24L)
        .containsEntry("Controller", 232L)
        .containsEntry("Node", 113L)
        .containsEntry("GroupController", 41L)
        .containsEntry("SnapshotMetadata", 27L);
  }

  @Test
  void whatCannotSimplyBeTestedSaysWhy() {
    for (Requirement row : inventory.rows()) {
      assertThat(row.reason().isEmpty())
          .as(row.id())
          .isEqualTo(row.testability() == Testability.OUTSIDE);
    }
  }

  @Test
  void levelsAndCodesAreWords() {
    for (Requirement row : inventory.rows()) {
      assertThat(row.level()).as(row.id()).isIn("MUST", "SHOULD", "MAY");
      assertThat(row.codes()).as(row.id()).allMatch(code -> code.matches("[A-Z_]+|non-OK"));
      assertThat(row.condition()).as(row.id()).isNotBlank();
      assertThat(row.behaviour()).as(row.id()).isNotBlank();
    }
  }

  @Test
  void readsARowAsItStands() {
    Requirement row = inventory.row("CTRL-UNPUB-005");
    assertThat(row.rpc()).isEqualTo("ControllerUnpublishVolume");
    assertThat(row.codes()).containsExactly("NOT_FOUND", "OK");
    assertThat(row.ambiguous()).isTrue();
    assertThat(inventory.row("GEN-RPC-007").codes()).isEmpty();
  }

  @Test
  void refusesAnUnknownId() {
    assertThatThrownBy(() -> inventory.row("CTRL-NO-001"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("CTRL-NO-001");
  }
}
