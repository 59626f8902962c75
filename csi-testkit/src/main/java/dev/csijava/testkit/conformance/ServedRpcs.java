package dev.csijava.testkit.conformance;

import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.client.DriverCapabilities;
import java.util.Arrays;
import java.util.List;

/** Which RPCs a driver says that it serves. */
final class ServedRpcs {
  private ServedRpcs() {}

  static List<CsiRpc> of(CaseContext c) {
    return Arrays.stream(CsiRpc.values()).filter(rpc -> serves(c, rpc)).toList();
  }

  static boolean serves(CaseContext c, CsiRpc rpc) {
    boolean gated = rpc.gates().isEmpty() || rpc.gates().stream().anyMatch(c::advertises);
    return switch (rpc.service()) {
      case "Node" -> gated && c.advertises(DriverCapabilities.NODE_SERVICE);
      case "Controller" -> gated && c.advertises(DriverCapabilities.CONTROLLER_SERVICE);
      default -> gated;
    };
  }
}
