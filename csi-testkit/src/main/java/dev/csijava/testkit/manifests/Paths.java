package dev.csijava.testkit.manifests;

/** Paths on the nodes. */
final class Paths {
  static final String SOCKET_IN_CONTAINERS = "/csi/csi.sock";

  private Paths() {}

  /** The directory of the driver's socket. */
  static String socketDirectory(Plan plan) {
    return plan.settings().kubeletDirectory() + "/plugins/" + plan.facts().name();
  }

  static String socket(Plan plan) {
    return socketDirectory(plan) + "/csi.sock";
  }

  static String registration(Plan plan) {
    return plan.settings().kubeletDirectory() + "/plugins_registry";
  }

  static String plugins(Plan plan) {
    return plan.settings().kubeletDirectory() + "/plugins";
  }

  static String pods(Plan plan) {
    return plan.settings().kubeletDirectory() + "/pods";
  }
}
