package dev.csijava.core;

/**
 * Which of a driver's services this process serves. A driver that is split into a controller and
 * node plugins is assembled whole in both, so that all instances report the same plugin
 * capabilities, as the specification asks of GetPluginCapabilities.
 *
 * @since 0.1.0
 */
public enum Mode {
  /**
   * Everything that is registered.
   *
   * @since 0.1.0
   */
  ALL,
  /**
   * Identity, Controller, GroupController and SnapshotMetadata; Node RPCs are UNIMPLEMENTED.
   *
   * @since 0.1.0
   */
  CONTROLLER,
  /**
   * Identity and Node; the others are UNIMPLEMENTED.
   *
   * @since 0.1.0
   */
  NODE;

  boolean serves(Rpc rpc) {
    return switch (rpc.service()) {
      case "csi.v1.Identity" -> true;
      case "csi.v1.Node" -> this != CONTROLLER;
      default -> this != NODE;
    };
  }
}
