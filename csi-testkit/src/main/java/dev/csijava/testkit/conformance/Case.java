package dev.csijava.testkit.conformance;

import dev.csijava.testkit.requirement.Requirement;
import dev.csijava.testkit.requirement.RequirementInventory;
import java.util.Arrays;
import java.util.List;

/**
 * One conformance case: what it does to a driver, and which rows of the inventory that proves.
 * Whether it applies is decided by the capability column of its rows; other needs are said in the
 * body ({@link CaseContext#need}).
 *
 * @param id unique; that of its row if it has one row
 * @param title a sentence
 * @param rows what it proves; one at least
 * @param alone whether no other case may run meanwhile
 * @param body what it does
 * @since 0.1.0
 */
public record Case(String id, String title, List<Requirement> rows, boolean alone, CaseBody body) {

  /**
   * A case for one row, whose id and sentence it takes.
   *
   * @throws IllegalArgumentException if the inventory has no such row
   * @since 0.1.0
   */
  public static Case of(String row, CaseBody body) {
    Requirement requirement = RequirementInventory.anyRow(row);
    return new Case(row, requirement.sentence(), List.of(requirement), false, body);
  }

  /**
   * A case for these rows; the first is the one that calls without a row's id are judged by.
   *
   * @throws IllegalArgumentException if the inventory lacks one of the rows
   * @since 0.1.0
   */
  public static Case of(String id, String title, CaseBody body, String... rows) {
    List<Requirement> named = Arrays.stream(rows).map(RequirementInventory::anyRow).toList();
    return new Case(id, title, named, false, body);
  }

  /**
   * The same case, but never beside another: for what looks at everything that a driver holds.
   *
   * @since 0.1.0
   */
  public Case runAlone() {
    return new Case(id, title, rows, true, body);
  }
}
