package dev.csijava.testkit.conformance;

import com.google.common.base.Splitter;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.client.DriverCapabilities;
import dev.csijava.testkit.requirement.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides by the capability column of a row whether it applies to a driver: {@code a+b}, {@code a
 * and b} and {@code a, b} mean all, {@code a/b} one of them, {@code no a} that it is absent, and
 * {@code OFFLINE only} that growth of volumes in use is not advertised.
 */
final class Applicability {
  private static final String ONLINE = "plugin:VolumeExpansion.ONLINE";
  private static final String OFFLINE_ONLY = "OFFLINE only";
  private static final String NO = "no ";

  private Applicability() {}

  /** Why the row does not apply, or nothing if it does. */
  static Optional<String> whyNot(Requirement row, DriverCapabilities driver) {
    for (String term : terms(row)) {
      Optional<String> reason = whyNot(term, driver);
      if (reason.isPresent()) {
        return reason;
      }
    }
    return Optional.empty();
  }

  private static List<String> terms(Requirement row) {
    String column =
        row.capability().replace(", ", "+").replace(" and ", "+").replace(" no ", "+no ");
    List<String> terms = new ArrayList<>();
    if (!column.equals("-")) {
      terms.addAll(Splitter.on('+').splitToList(column));
    }
    boolean absence = terms.stream().anyMatch(term -> term.startsWith(NO));
    if (row.service().equals("Node")) {
      terms.add(0, DriverCapabilities.NODE_SERVICE);
    } else if (row.service().equals("Controller")) {
      terms.add(0, DriverCapabilities.CONTROLLER_SERVICE);
      // What a row says of an RPC's fields holds where the RPC is served.
      CsiRpc.named(row.rpc())
          .filter(rpc -> rpc != CsiRpc.NODE_GET_INFO)
          .filter(rpc -> !asksForTheRpc(row))
          .filter(rpc -> !absence || rpc.gates().stream().noneMatch(g -> column.contains(NO + g)))
          .ifPresent(rpc -> terms.add(1, String.join("/", rpc.gates())));
    }
    return terms;
  }

  /** Whether a row wants an RPC to be served because another service is there. */
  private static boolean asksForTheRpc(Requirement row) {
    return row.capability().startsWith("group:");
  }

  private static Optional<String> whyNot(String term, DriverCapabilities driver) {
    if (term.startsWith(NO)) {
      String word = term.substring(NO.length());
      return driver.has(word)
          ? Optional.of("the row is about the absence of " + word + ", which is advertised")
          : Optional.empty();
    }
    if (term.equals(OFFLINE_ONLY)) {
      return driver.has(ONLINE)
          ? Optional.of("the driver advertises that volumes in use grow (" + ONLINE + ")")
          : Optional.empty();
    }
    List<String> words = Splitter.on('/').splitToList(term);
    if (words.stream().anyMatch(driver::has)) {
      return Optional.empty();
    }
    return Optional.of(
        term.equals(DriverCapabilities.NODE_SERVICE)
            ? "there is no Node service at the endpoint"
            : String.join(" or ", words) + " is not advertised");
  }
}
