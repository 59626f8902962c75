package dev.csijava.hostpath.settings;

/**
 * Who grows volumes. Immutable.
 *
 * @param enabled whether anybody does
 * @param byController whether ControllerExpandVolume is served
 * @param byNode whether NodeExpandVolume is served
 */
public record ExpansionSettings(boolean enabled, boolean byController, boolean byNode) {
  /** Both do. */
  public static final ExpansionSettings DEFAULTS = new ExpansionSettings(true, true, true);

  /** Whether the controller offers it. */
  public boolean onController() {
    return enabled && byController;
  }

  /** Whether the node offers it. */
  public boolean onNode() {
    return enabled && byNode;
  }
}
