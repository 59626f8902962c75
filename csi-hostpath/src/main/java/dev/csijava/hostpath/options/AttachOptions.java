package dev.csijava.hostpath.options;

import dev.csijava.hostpath.settings.AttachSettings;
import picocli.CommandLine.Option;

/** Attaching of volumes to the node. */
public final class AttachOptions {
  @Option(
      names = "--enable-attach",
      arity = "1",
      converter = GoBoolean.class,
      defaultValue = "false",
      description =
          "Serve ControllerPublishVolume, and stage only what is attached. Default:"
              + " ${DEFAULT-VALUE}")
  private boolean enabled;

  @Option(
      names = "--maxvolumespernode",
      paramLabel = "NUMBER",
      defaultValue = "0",
      description = "How many volumes the node takes; 0 for no limit. Default: ${DEFAULT-VALUE}")
  private long maxVolumesPerNode;

  @Option(
      names = "--attach-limit",
      paramLabel = "NUMBER",
      defaultValue = "0",
      description =
          "The same, and before --maxvolumespernode if it is not 0; -1 reports a random number and"
              + " keeps to none. Default: ${DEFAULT-VALUE}")
  private long attachLimit;

  @Option(
      names = "--check-volume-lifecycle",
      arity = "1",
      converter = GoBoolean.class,
      defaultValue = "false",
      description =
          "Do not detach a volume that is staged or published on this node. Such a volume is never"
              + " deleted, with and without this flag. Default: ${DEFAULT-VALUE}")
  private boolean lifecycleChecked;

  /** The same flags once more; a test holds both equal. */
  public void register(PlainFlags flags) {
    flags.bool(value -> enabled = value, "--enable-attach");
    flags.number(value -> maxVolumesPerNode = value, "--maxvolumespernode");
    flags.number(value -> attachLimit = value, "--attach-limit");
    flags.bool(value -> lifecycleChecked = value, "--check-volume-lifecycle");
  }

  /**
   * The settings.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public AttachSettings settings() {
    return new AttachSettings(enabled, maxVolumesPerNode, attachLimit, lifecycleChecked);
  }
}
