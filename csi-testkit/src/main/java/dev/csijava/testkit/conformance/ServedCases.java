package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.testkit.client.CsiRpc;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Advertised means served, not advertised means UNIMPLEMENTED: one table of RPCs and capabilities
 * ({@link CsiRpc}) for all of them, called with an empty request.
 */
final class ServedCases implements CaseGroup {
  /** What a client says of a server that does not answer. */
  private static final Set<Status.Code> HUNG_UP =
      EnumSet.of(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED, Status.Code.CANCELLED);

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "served-identity",
            "Every Identity RPC is served at every endpoint",
            c -> served(c, "GEN-RPC-006", rpc -> rpc.service().equals("Identity")),
            "GEN-RPC-006"),
        Case.of(
            "GEN-RPC-001",
            c -> {
              c.needs("service:Node");
              served(c, "GEN-RPC-001", rpc -> rpc.service().equals("Identity"));
              served(c, "GEN-RPC-001", rpc -> rpc.service().equals("Node"));
            }),
        Case.of(
            "GEN-RPC-002",
            c -> {
              c.needs("plugin:CONTROLLER_SERVICE");
              served(c, "GEN-RPC-002", rpc -> rpc.service().equals("Identity"));
              served(c, "GEN-RPC-002", rpc -> rpc.service().equals("Controller"));
            }),
        Case.of(
            "GEN-RPC-003",
            c -> {
              c.need(
                  c.settings().controllerEndpoint().equals(c.settings().endpoint())
                      && c.advertises("plugin:CONTROLLER_SERVICE")
                      && c.advertises("service:Node"),
                  "the endpoint does not serve node and controller together");
              served(c, "GEN-RPC-003", rpc -> true);
            }),
        Case.of(
            "not-advertised",
            "What is not advertised answers UNIMPLEMENTED, and the connection lives",
            ServedCases::refused,
            "GEN-RPC-005",
            "GEN-RPC-004"),
        Case.of(
            "CTRL-CAPS-002",
            c -> served(c, "CTRL-CAPS-002", rpc -> rpc.service().equals("Controller"))),
        Case.of(
            "IDENT-CAPS-004",
            c ->
                served(
                    c,
                    "IDENT-CAPS-004",
                    rpc ->
                        rpc == CsiRpc.CONTROLLER_GET_CAPABILITIES
                            || rpc == CsiRpc.VALIDATE_VOLUME_CAPABILITIES)),
        Case.of(
            "IDENT-CAPS-007",
            c ->
                served(
                    c, "IDENT-CAPS-007", rpc -> rpc == CsiRpc.GROUP_CONTROLLER_GET_CAPABILITIES)),
        Case.of(
            "IDENT-CAPS-008",
            c -> served(c, "IDENT-CAPS-008", rpc -> rpc.service().equals("SnapshotMetadata"))));
  }

  private static void served(CaseContext c, String row, Predicate<CsiRpc> which) {
    for (CsiRpc rpc : CsiRpc.values()) {
      if (which.test(rpc) && c.driver().serves(rpc)) {
        Outcome<?> outcome = empty(c, rpc);
        c.check(
            row,
            outcome.code() != Status.Code.UNIMPLEMENTED,
            rpc.title() + " is served, as advertised",
            outcome);
      }
    }
  }

  private static void refused(CaseContext c) {
    List<CsiRpc> absent =
        Arrays.stream(CsiRpc.values())
            .filter(rpc -> !c.driver().serves(rpc) && !OlderHealth.allows(c, rpc))
            .toList();
    c.need(!absent.isEmpty(), "the driver advertises everything");
    for (CsiRpc rpc : absent) {
      Outcome<?> outcome = empty(c, rpc);
      c.check(
          "GEN-RPC-005",
          outcome.code() == Status.Code.UNIMPLEMENTED,
          "UNIMPLEMENTED for " + rpc.title() + ", which is not advertised",
          outcome);
      c.check(
          "GEN-RPC-004",
          !HUNG_UP.contains(outcome.code()),
          "a refusal of " + rpc.title() + " in time",
          outcome);
      Outcome<?> alive = empty(c, CsiRpc.PROBE);
      c.check("GEN-RPC-004", !HUNG_UP.contains(alive.code()), "a driver that lives", alive);
    }
  }

  private static Outcome<List<Message>> empty(CaseContext c, CsiRpc rpc) {
    return Outcome.of(
        () -> new ArrayList<>(rpc.call(c.channel(rpc.service()), rpc.emptyRequest())));
  }
}
