package dev.csijava.testkit.conformance;

import dev.csijava.testkit.requirement.Requirement;
import io.grpc.Status;
import java.util.List;
import java.util.Set;

/** Reads the code column of a row. */
final class Codes {
  /** Where the specification asks for a refusal and leaves the code open. */
  static final String ANY_REFUSAL = "non-OK";

  /** No fitting answer to anything: the connection, the client or the lack of the RPC speaks. */
  private static final Set<Status.Code> NO_ANSWER =
      Set.of(
          Status.Code.UNIMPLEMENTED,
          Status.Code.UNAVAILABLE,
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.CANCELLED,
          Status.Code.UNKNOWN);

  private Codes() {}

  static boolean right(Requirement row, Status.Code code, boolean okCounts) {
    if (code == Status.Code.OK) {
      return okCounts && row.codes().contains(code.name());
    }
    return row.codes().contains(code.name())
        || (row.codes().contains(ANY_REFUSAL) && !NO_ANSWER.contains(code));
  }

  /** Whether the driver has answered for itself, in whatever way. */
  static boolean answered(Status.Code code) {
    return !NO_ANSWER.contains(code);
  }

  static String expected(Requirement row, boolean okCounts) {
    List<String> codes =
        row.codes().stream()
            .filter(code -> okCounts || !code.equals("OK"))
            .map(code -> code.equals(ANY_REFUSAL) ? "a refusal with a fitting code" : code)
            .toList();
    return String.join(" or ", codes);
  }
}
