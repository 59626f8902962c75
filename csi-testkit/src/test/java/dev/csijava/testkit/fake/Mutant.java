package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A driver that breaks one rule.
 *
 * @param row the row of the inventory that must catch it
 * @param fault what is wrong with it
 * @param config what the driver is like otherwise
 * @param deviation how it is broken; made anew for each run
 */
record Mutant(String row, String fault, Config config, Supplier<Deviation> deviation) {

  /** Drivers that are right. */
  enum Config {
    CSI_1_12(builder -> builder),
    CSI_1_13(builder -> builder.version(CsiVersion.V1_13)),
    WITHOUT_CONDITIONS(
        builder ->
            builder
                .without(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION)
                .without(NodeServiceCapability.RPC.Type.VOLUME_CONDITION)),
    WITHOUT_TOPOLOGY(
        builder -> builder.without(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS)),
    OFFLINE(builder -> builder.volumeExpansion(PluginCapability.VolumeExpansion.Type.OFFLINE)),
    SLOW_SNAPSHOTS(builder -> builder.snapshotProcessing(Duration.ofMillis(400))),
    PINNED(builder -> builder.snapshotsPinned(true)),
    EXTENTS(builder -> builder.blockMetadata(BlockMetadataType.VARIABLE_LENGTH, 100));

    @SuppressWarnings("ImmutableEnumChecker") // these lambdas hold nothing
    private final UnaryOperator<FakeDriverBuilder> settings;

    Config(UnaryOperator<FakeDriverBuilder> settings) {
      this.settings = settings;
    }

    FakeDriverBuilder builder() {
      return settings.apply(FakeDriver.builder());
    }
  }

  static Mutant of(String row, String fault, Supplier<Deviation> deviation) {
    return new Mutant(row, fault, Config.CSI_1_12, deviation);
  }

  Mutant in(Config other) {
    return new Mutant(row, fault, other, deviation);
  }

  @Override
  public String toString() {
    return row + ": " + fault;
  }
}
