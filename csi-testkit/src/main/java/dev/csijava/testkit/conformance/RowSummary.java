package dev.csijava.testkit.conformance;

import dev.csijava.testkit.client.DriverCapabilities;
import dev.csijava.testkit.requirement.Requirement;
import dev.csijava.testkit.requirement.RequirementInventory;
import dev.csijava.testkit.requirement.Testability;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Puts what all cases found together, so that every row of the inventory has one verdict. */
final class RowSummary {
  private final DriverCapabilities driver;
  private final Map<String, List<RowResult>> found = new HashMap<>();
  private final Set<String> named = new HashSet<>();

  RowSummary(DriverCapabilities driver, Collection<Case> all) {
    this.driver = driver;
    all.forEach(tested -> tested.rows().forEach(row -> named.add(row.id())));
  }

  void add(List<RowResult> results) {
    for (RowResult result : results) {
      found.computeIfAbsent(result.row(), row -> new ArrayList<>()).add(result);
    }
  }

  List<RunReport.Row> rows(RequirementInventory inventory) {
    return inventory.rows().stream().map(this::row).toList();
  }

  private RunReport.Row row(Requirement requirement) {
    List<RowResult> results = List.copyOf(found.getOrDefault(requirement.id(), List.of()));
    for (Verdict verdict : List.of(Verdict.FAILED, Verdict.PASSED, Verdict.SKIPPED)) {
      for (RowResult result : results) {
        if (result.verdict() == verdict) {
          return new RunReport.Row(requirement, verdict, result.reason(), results);
        }
      }
    }
    if (requirement.testability() == Testability.UNTESTABLE) {
      return new RunReport.Row(requirement, Verdict.UNTESTABLE, requirement.reason(), List.of());
    }
    return new RunReport.Row(requirement, Verdict.SKIPPED, whyOpen(requirement), List.of());
  }

  private String whyOpen(Requirement requirement) {
    return Applicability.whyNot(requirement, driver)
        .orElseGet(
            () -> {
              if (requirement.testability() == Testability.GIVEN) {
                return "needs " + requirement.reason();
              }
              return named.contains(requirement.id())
                  ? "its cases did not run"
                  : "no case of this kit looks at it";
            });
  }
}
