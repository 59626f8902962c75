package dev.csijava.hostpath;

import dev.csijava.hostpath.settings.ExpansionSettings;
import dev.csijava.hostpath.settings.FeatureSettings;
import dev.csijava.hostpath.settings.MetadataSettings;
import dev.csijava.hostpath.settings.ModifySettings;
import dev.csijava.spec.v1.BlockMetadataType;
import java.util.Optional;

/** Settings that tests share. */
final class TestSettings {
  private TestSettings() {}

  /** All that can be turned off is. */
  static HostpathSettings withoutOptions(HostpathSettings settings) {
    return settings.withFeatures(
        new FeatureSettings(
            false,
            false,
            false,
            new ExpansionSettings(false, false, false),
            ModifySettings.DEFAULTS,
            MetadataSettings.DEFAULTS));
  }

  /** Inline volumes only. */
  static HostpathSettings inlineOnly(HostpathSettings settings) {
    return settings.withFeatures(
        new FeatureSettings(
            true,
            true,
            true,
            ExpansionSettings.DEFAULTS,
            ModifySettings.DEFAULTS,
            MetadataSettings.DEFAULTS));
  }

  /** Any attribute can be changed. */
  static HostpathSettings modifying(HostpathSettings settings) {
    return settings.withFeatures(
        new FeatureSettings(
            false,
            true,
            true,
            ExpansionSettings.DEFAULTS,
            new ModifySettings(true, Optional.empty()),
            MetadataSettings.DEFAULTS));
  }

  /** Snapshots tell of their blocks, in this form. */
  static HostpathSettings withMetadata(HostpathSettings settings, BlockMetadataType type) {
    return settings.withFeatures(
        new FeatureSettings(
            false,
            true,
            true,
            ExpansionSettings.DEFAULTS,
            ModifySettings.DEFAULTS,
            new MetadataSettings(true, type)));
  }
}
