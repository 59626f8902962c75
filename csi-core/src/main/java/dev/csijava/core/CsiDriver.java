package dev.csijava.core;

import dev.csijava.core.group.GroupSnapshots;
import dev.csijava.core.metadata.SnapshotMetadata;
import dev.csijava.spec.v1.PluginCapability;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A CSI driver, assembled from the capabilities it has. What is registered is advertised and
 * served; what is not registered is UNIMPLEMENTED.
 *
 * <pre>{@code
 * CsiDriver driver = CsiDriver.named("memo.example.com").version("1.0.0")
 *     .controller(c -> c.volumes(volumes).listing(volumes))
 *     .node(n -> n.id(nodeId).publishing(node))
 *     .build();
 * CsiServer.serve(driver);
 * }</pre>
 *
 * <p>Immutable. Handlers belong to the vendor; they are called from several threads at once.
 *
 * @since 0.1.0
 */
public final class CsiDriver {
  private final String name;
  private final String version;
  private final Handlers handlers;
  private final CapabilityView capabilities;

  CsiDriver(String name, String version, Handlers handlers, CapabilityView capabilities) {
    this.name = name;
    this.version = version;
    this.handlers = handlers;
    this.capabilities = capabilities;
  }

  /**
   * Starts to assemble a driver.
   *
   * @param name the plugin name as GetPluginInfo and the CSIDriver object have it: a domain name of
   *     at most 63 characters, for example {@code memo.example.com}
   * @throws IllegalArgumentException if the name is none
   * @since 0.1.0
   */
  public static Builder named(String name) {
    return new Builder(PluginName.check(name));
  }

  /**
   * The plugin name.
   *
   * @since 0.1.0
   */
  public String name() {
    return name;
  }

  /**
   * The driver's own version.
   *
   * @since 0.1.0
   */
  public String version() {
    return version;
  }

  Handlers handlers() {
    return handlers;
  }

  CapabilityView capabilities() {
    return capabilities;
  }

  /**
   * Collects what a driver is made of. Setters check their argument at once; {@link #build} checks
   * whether all of it fits together. Not safe for use by several threads.
   *
   * @since 0.1.0
   */
  public static final class Builder {
    private final String name;
    private @Nullable String version;
    private Map<String, String> manifest = Map.of();
    private Readiness readiness = () -> true;
    private SpecVersion advertised = SpecVersion.V1_12;
    private Mode mode = Mode.ALL;
    private @Nullable ControllerBuilder controller;
    private @Nullable NodeBuilder node;
    private PluginCapability.VolumeExpansion.@Nullable Type expansion;
    private @Nullable GroupSnapshots groups;
    private @Nullable SnapshotMetadata metadata;

    Builder(String name) {
      this.name = name;
    }

    /**
     * The driver's own version, at most 128 bytes. Required.
     *
     * @since 0.1.0
     */
    public Builder version(String vendorVersion) {
      if (vendorVersion.isBlank()) {
        throw new IllegalArgumentException("the version is empty; give the driver's own version");
      }
      version = vendorVersion;
      return this;
    }

    /**
     * What GetPluginInfo tells besides, at most 4 KiB together.
     *
     * @since 0.1.0
     */
    public Builder manifest(Map<String, String> entries) {
      manifest = new LinkedHashMap<>(entries);
      return this;
    }

    /**
     * Answers Probe. Without it the driver is ready as soon as it serves.
     *
     * @since 0.1.0
     */
    public Builder readiness(Readiness check) {
      readiness = check;
      return this;
    }

    /**
     * Whose capability values are advertised; 1.12's by default.
     *
     * @since 0.1.0
     */
    public Builder advertise(SpecVersion specVersion) {
      advertised = specVersion;
      return this;
    }

    /**
     * Which services this process serves; all by default.
     *
     * @since 0.1.0
     */
    public Builder mode(Mode served) {
      mode = served;
      return this;
    }

    /**
     * Registers the Controller service's capabilities.
     *
     * @since 0.1.0
     */
    public Builder controller(Consumer<ControllerBuilder> registration) {
      if (controller == null) {
        controller = new ControllerBuilder();
      }
      registration.accept(controller);
      return this;
    }

    /**
     * Registers the Node service's capabilities.
     *
     * @since 0.1.0
     */
    public Builder node(Consumer<NodeBuilder> registration) {
      if (node == null) {
        node = new NodeBuilder();
      }
      registration.accept(node);
      return this;
    }

    /**
     * Whether volumes grow while they are in use (ONLINE) or only while they are not (OFFLINE).
     * Required when an expansion handler is registered.
     *
     * @since 0.1.0
     */
    public Builder volumeExpansion(PluginCapability.VolumeExpansion.Type type) {
      if (type != PluginCapability.VolumeExpansion.Type.ONLINE
          && type != PluginCapability.VolumeExpansion.Type.OFFLINE) {
        throw new IllegalArgumentException("volume expansion is ONLINE or OFFLINE, not " + type);
      }
      expansion = type;
      return this;
    }

    /**
     * The GroupController service.
     *
     * @since 0.1.0
     */
    public Builder groupSnapshots(GroupSnapshots groupSnapshots) {
      groups = groupSnapshots;
      return this;
    }

    /**
     * The SnapshotMetadata service.
     *
     * @since 0.1.0
     */
    public Builder snapshotMetadata(SnapshotMetadata snapshotMetadata) {
      metadata = snapshotMetadata;
      return this;
    }

    /**
     * Puts the driver together.
     *
     * @throws IllegalStateException if what was registered does not fit together, with a sentence
     *     that says why and what to do
     * @since 0.1.0
     */
    public CsiDriver build() {
      if (version == null) {
        throw new IllegalStateException("the driver has no version; call version(...)");
      }
      Assembly assembly =
          new Assembly(
              name,
              version,
              manifest,
              readiness,
              advertised,
              mode,
              controller,
              node,
              expansion,
              groups,
              metadata);
      return assembly.assemble();
    }
  }
}
