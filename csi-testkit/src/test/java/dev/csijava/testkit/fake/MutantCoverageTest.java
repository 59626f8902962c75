package dev.csijava.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.conformance.Catalogue;
import dev.csijava.testkit.requirement.Requirement;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every row that a case looks at has a mutant which that row catches. Those that have none are
 * named here, with the reason, so that none is added unnoticed.
 */
class MutantCoverageTest {
  /** Seen only where a driver mounts, which the one in memory does not. */
  private static final Set<String> MOUNTS =
      Set.of(
          "CTRL-CREATE-022",
          "GEN-MODE-002",
          "GROUP-CREATE-010",
          "NODE-PUB-034",
          "NODE-STAGE-014",
          "SMETA-ALLOC-005",
          "SMETA-DELTA-007");

  /** About a process: its start, its socket and its restart, which have tests of their own. */
  private static final Set<String> PROCESS =
      Set.of("GEN-EP-001", "GEN-EP-004", "GEN-EP-005", "GEN-EP-007", "GEN-OP-003");

  /** Any answer is right; they are there for what they note. */
  private static final Set<String> NOTES =
      Set.of(
          "CTRL-CAPACITY-008",
          "CTRL-DELETE-009",
          "CTRL-EXPAND-014",
          "CTRL-SNAP-018",
          "GEN-EP-006",
          "IDENT-CAPS-003");

  /** Two processes, kubelet's registration, and bytes that reach no driver in Java. */
  private static final Set<String> GIVEN =
      Set.of("IDENT-CAPS-002", "ENGINE-CALLER-015", "ENGINE-HOSTILE-004");

  @Test
  void everyRowThatCanFailHasAMutant() {
    Set<String> without =
        Catalogue.cases().stream()
            .flatMap(tested -> tested.rows().stream())
            .map(Requirement::id)
            .collect(Collectors.toCollection(TreeSet::new));
    MutantTest.mutants().map(Mutant::row).forEach(without::remove);
    AnswerMutantsTest.mutants().stream().map(Mutant::row).forEach(without::remove);
    Arrays.stream(EngineMutants.values()).map(EngineMutants::row).forEach(without::remove);
    assertThat(without)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(MOUNTS, PROCESS, NOTES, GIVEN)
                .flatMap(Collection::stream)
                .collect(Collectors.toSet()));
  }
}
