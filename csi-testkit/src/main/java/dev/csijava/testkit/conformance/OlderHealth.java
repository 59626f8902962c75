package dev.csijava.testkit.conformance;

import dev.csijava.testkit.client.CsiRpc;

/**
 * Drivers that tell of health in the form of CSI 1.12, as a condition inside other answers. They
 * may answer the calls of 1.13 too without advertising these: sidecars of 1.12 refuse a driver that
 * advertises what they do not know.
 */
final class OlderHealth {
  private OlderHealth() {}

  /** Whether a driver that does not advertise the RPC may serve it all the same. */
  static boolean allows(CaseContext c, CsiRpc rpc) {
    return switch (rpc) {
      case CONTROLLER_GET_VOLUME_HEALTH, CONTROLLER_LIST_VOLUME_HEALTH ->
          c.advertises("ctrl:VOLUME_CONDITION");
      case NODE_GET_VOLUME_HEALTH, NODE_GET_STORAGE_HEALTH -> c.advertises("node:VOLUME_CONDITION");
      default -> false;
    };
  }

  /** Skips the row where both answers are right. */
  static void needAbsence(CaseContext c, CsiRpc rpc) {
    c.need(
        !allows(c, rpc),
        "the driver tells of health in the form of 1.12, and may then serve that of 1.13 as well");
  }
}
