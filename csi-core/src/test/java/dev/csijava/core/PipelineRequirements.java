package dev.csijava.core;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Rows of the requirement inventory beside those of the validation, and who keeps them. */
final class PipelineRequirements {
  private static final String SERVED = "served if and only if its handler is registered";
  private static final String ADVERTISED =
      "advertised if and only if its handler is registered, so it works";
  private static final String TOKEN =
      "tokens are checked; one that has no room for a check sum is the driver's";
  private static final String GONE = "the driver's NOT_FOUND is answered as OK";
  private static final String GATE = "the capability gate refuses it";
  private static final String HEALTH =
      "refused without a health handler; one that is registered answers also while the values of"
          + " 1.12 are advertised";

  private PipelineRequirements() {}

  /** Rows that the framework keeps whatever the driver does, with how. */
  static SortedMap<String, String> kept() {
    SortedMap<String, String> kept = new TreeMap<>();
    kept.putAll(
        Map.ofEntries(
            Map.entry("GEN-RPC-003", "one server serves all services"),
            Map.entry("GEN-RPC-004", "every RPC is registered; the capability gate refuses it"),
            Map.entry("GEN-RPC-005", GATE),
            Map.entry("GEN-RPC-006", "one server, one address"),
            Map.entry("GEN-RPC-007", "the messages and stubs of csi-spec over gRPC"),
            Map.entry("GEN-CONC-001", "keyed operations: joined, or one after the other"),
            Map.entry("GEN-CONC-002", "a call that waits too long gets ABORTED"),
            Map.entry("GEN-CONC-003", "locks end with the work, whatever its end"),
            Map.entry("GEN-ERR-001", "every call is answered with one status"),
            Map.entry("GEN-ERR-002", "codes are gRPC's own type"),
            Map.entry("GEN-ERR-003", "a status without a sentence gets one"),
            Map.entry("GEN-ERR-004", "only code and sentence are sent"),
            Map.entry("GEN-ERR-005", "what a handler throws is never OK"),
            Map.entry("GEN-SEC-002", "a request whose texts are not UTF-8 is refused"),
            Map.entry("GEN-LIFE-005", "a node alone builds and serves"),
            Map.entry("GEN-EP-001", "CsiServer reads CSI_ENDPOINT, binds and listens"),
            Map.entry("GEN-EP-002", "CsiEndpoint"),
            Map.entry("GEN-EP-005", "a socket that nobody serves is replaced"),
            Map.entry("GEN-EP-006", "nothing but the socket is made in its directory"),
            Map.entry("GEN-EP-007", "CsiServer.serve throws before it listens"),
            Map.entry("GEN-OP-001", "CsiServer.serve returns only when told to stop"),
            Map.entry("GEN-OP-002", "the driver's Mode"),
            Map.entry("IDENT-INFO-001", "answered from what was registered"),
            Map.entry("IDENT-CAPS-001", "answered from what was registered"),
            Map.entry("IDENT-CAPS-002", "a mode restricts what is served, not what is reported"),
            Map.entry("IDENT-CAPS-003", "reported if and only if a controller is registered"),
            Map.entry("IDENT-CAPS-004", "a controller without validation does not build"),
            Map.entry("IDENT-CAPS-005", "reported if and only if a controller is registered"),
            Map.entry("IDENT-CAPS-007", ADVERTISED),
            Map.entry("IDENT-CAPS-008", ADVERTISED),
            Map.entry("IDENT-CAPS-009", "refused when the driver is built"),
            Map.entry("IDENT-CAPS-010", "refused when the driver is built"),
            Map.entry("IDENT-PROBE-001", "answered by the framework"),
            Map.entry("IDENT-PROBE-004", "ready is always set"),
            Map.entry("IDENT-PROBE-005", "ready is always set"),
            Map.entry("IDENT-PROBE-006", "one readiness check at a time, on a thread of its own"),
            Map.entry("CTRL-CAPS-001", "answered from what was registered"),
            Map.entry("CTRL-CAPS-002", ADVERTISED),
            Map.entry("CTRL-CAPS-003", "refused when the driver is built"),
            Map.entry("NODE-CAPS-001", "answered from what was registered"),
            Map.entry("NODE-CAPS-002", ADVERTISED),
            Map.entry("NODE-INFO-001", "answered from what was registered"),
            Map.entry("NODE-INFO-009", "nothing depends on the call"),
            Map.entry("NODE-INFO-010", "the node id is fixed when the driver is built"),
            Map.entry("GROUP-CAPS-001", "answered from what was registered"),
            Map.entry("GROUP-CAPS-003", ADVERTISED),
            Map.entry("SMETA-STREAM-001", "one handler answers both"),
            Map.entry("SMETA-STREAM-004", "sending fails once the caller is gone"),
            Map.entry("V113-WIRE-001", "one descriptor holds both versions' fields")));
    for (String row :
        ("CTRL-CREATE CTRL-DELETE CTRL-PUB CTRL-UNPUB CTRL-VALIDATE CTRL-LISTVOL CTRL-GETVOL"
                + " CTRL-SNAP CTRL-DELSNAP CTRL-LISTSNAP CTRL-GETSNAP"
                + " NODE-STAGE NODE-UNSTAGE NODE-PUB NODE-UNPUB NODE-STATS NODE-EXPAND"
                + " GROUP-CREATE GROUP-DELETE GROUP-GET")
            .split(" ", -1)) {
      kept.put(row + "-001", SERVED);
    }
    for (int i = 1; i <= 4; i++) {
      kept.put("V113-CAPS-00" + i, ADVERTISED);
    }
    return kept;
  }

  /** Rows of which the framework keeps a part outside the validation. */
  static SortedMap<String, String> keptInPart() {
    return new TreeMap<>(
        Map.ofEntries(
            Map.entry("GEN-RPC-001", "all are registered; the driver brings the handlers"),
            Map.entry("GEN-RPC-002", "all are registered; the driver brings the handlers"),
            Map.entry("GEN-TIME-001", "the work goes on and the retry joins it"),
            Map.entry(
                "GEN-SEC-005",
                "redaction by descriptor in its logs and in all statuses; the driver's own logs are"
                    + " the driver's"),
            Map.entry("GEN-SEC-006", "service-account tokens are redacted as well"),
            Map.entry(
                "GEN-SEC-007",
                "logs and statuses hold no values of mount flags, nor does the mount package print"
                    + " them; the driver's own logs are the driver's"),
            Map.entry(
                "GEN-EP-003",
                "TCP is taken on the loopback interface only, every other scheme is refused"),
            Map.entry("GEN-OP-003", "what contradicts itself is refused before it is served"),
            Map.entry("NODE-PUB-012", "secrets don't tell calls apart that come at the same time"),
            Map.entry("SMETA-STREAM-003", "a handler's failure is the end of the stream"),
            Map.entry("CTRL-CAPACITY-001", SERVED + "; an empty request passes"),
            Map.entry("CTRL-EXPAND-001", SERVED),
            Map.entry("CTRL-MODIFY-001", SERVED),
            Map.entry("V113-CAPS-005", HEALTH),
            Map.entry("V113-CAPS-006", HEALTH),
            Map.entry("V113-CAPS-007", HEALTH),
            Map.entry("V113-CAPS-008", HEALTH),
            Map.entry("CTRL-CREATE-004", "IdempotentCreate does it for drivers that use it"),
            Map.entry("CTRL-CREATE-005", "IdempotentCreate does it for drivers that use it"),
            Map.entry("CTRL-SNAP-005", "IdempotentCreate does it for drivers that use it"),
            Map.entry("CTRL-SNAP-006", "IdempotentCreate does it for drivers that use it"),
            Map.entry("CTRL-SNAP-007", "the operation engine answers ABORTED"),
            Map.entry("CTRL-DELSNAP-006", "the operation engine answers ABORTED"),
            Map.entry("CTRL-LISTVOL-009", TOKEN),
            Map.entry("CTRL-LISTSNAP-009", TOKEN),
            Map.entry("V113-LHEALTH-004", TOKEN),
            Map.entry("CTRL-LISTSNAP-013", "the driver's NOT_FOUND is answered as an empty list"),
            Map.entry("CTRL-DELETE-003", GONE),
            Map.entry("CTRL-DELETE-004", GONE),
            Map.entry("CTRL-DELSNAP-003", GONE),
            Map.entry("GROUP-DELETE-004", GONE),
            Map.entry("CTRL-UNPUB-004", GONE),
            Map.entry("CTRL-UNPUB-005", GONE),
            Map.entry("CTRL-UNPUB-006", GONE),
            Map.entry("IDENT-PROBE-002", "the readiness check's failure is passed on"),
            Map.entry("IDENT-PROBE-003", "the readiness check's failure is passed on")));
  }

  /** Rows that whoever packages, configures or documents the driver keeps. */
  static SortedMap<String, String> operators() {
    String documentation = "a matter of the driver's documentation";
    String packaging = "a matter of packaging and deployment";
    return new TreeMap<>(
        Map.ofEntries(
            Map.entry("GEN-SEC-003", documentation),
            Map.entry("GEN-EP-004", "the one who sets CSI_ENDPOINT names the socket"),
            Map.entry("GEN-EP-008", packaging),
            Map.entry("GEN-OP-005", packaging),
            Map.entry("GEN-OP-007", "the logging that is bound to SLF4J decides"),
            Map.entry("GEN-OP-008", documentation),
            Map.entry("GEN-OP-009", packaging),
            Map.entry("GEN-OP-010", packaging),
            Map.entry("GEN-OP-011", documentation),
            Map.entry("IDENT-PROBE-007", documentation),
            Map.entry("NODE-INFO-003", "each node is given its own id")));
  }
}
