package dev.csijava.hostpath;

import dev.csijava.core.ControllerBuilder;
import dev.csijava.core.CsiDriver;
import dev.csijava.core.SpecVersion;
import dev.csijava.hostpath.attach.HostpathAttachments;
import dev.csijava.hostpath.blocks.HostpathSnapshotMetadata;
import dev.csijava.hostpath.controller.HostpathCapacity;
import dev.csijava.hostpath.controller.HostpathExpansion;
import dev.csijava.hostpath.controller.HostpathListing;
import dev.csijava.hostpath.controller.HostpathModification;
import dev.csijava.hostpath.controller.HostpathSnapshotListing;
import dev.csijava.hostpath.controller.HostpathSnapshots;
import dev.csijava.hostpath.controller.HostpathVolumes;
import dev.csijava.hostpath.groups.HostpathGroups;
import dev.csijava.hostpath.health.HostpathHealth;
import dev.csijava.hostpath.settings.ExpansionSettings;
import dev.csijava.hostpath.settings.FeatureSettings;
import dev.csijava.hostpath.settings.MetadataSettings;
import dev.csijava.spec.v1.PluginCapability;

/** Registers what the controller offers by the settings. */
final class ControllerAssembly {
  private final Parts parts;

  ControllerAssembly(Parts parts) {
    this.parts = parts;
  }

  void register(CsiDriver.Builder driver) {
    HostpathVolumes volumes =
        new HostpathVolumes(
            parts.state(), parts.data(), parts.uses(), parts.policy(), parts.topology());
    if (parts.settings().features().inlineOnly()) {
      driver.controller(c -> c.validation(volumes).singleNodeMultiWriter());
      return;
    }
    driver.controller(
        c -> {
          c.volumes(volumes)
              .cloning()
              .singleNodeMultiWriter()
              .health(new HostpathHealth(parts.state().volumes(), parts.backings()));
          listings(c);
          snapshots(c);
          options(c);
        });
    ExpansionSettings expansion = parts.settings().features().expansion();
    if (expansion.onController() || expansion.onNode()) {
      driver.volumeExpansion(PluginCapability.VolumeExpansion.Type.ONLINE);
    }
    driver.groupSnapshots(
        new HostpathGroups(parts.state(), parts.data(), parts.snapshots(), parts.backings()::hold));
    MetadataSettings metadata = parts.settings().features().metadata();
    if (metadata.enabled()) {
      driver.snapshotMetadata(
          new HostpathSnapshotMetadata(parts.state().snapshots(), metadata.blockType()));
    }
  }

  private void listings(ControllerBuilder controller) {
    HostpathListing listing =
        new HostpathListing(parts.state().volumes(), parts.topology(), parts.policy().attached());
    controller
        .listing(listing)
        .lookup(listing)
        .capacity(
            new HostpathCapacity(
                () -> parts.host().usage().ofFileSystem(parts.state().root()).bytes().available(),
                parts.policy().sizes(),
                parts.topology(),
                parts.policy().promises()));
  }

  private void snapshots(ControllerBuilder controller) {
    HostpathSnapshotListing listing =
        new HostpathSnapshotListing(parts.state().snapshots(), parts.snapshots());
    controller
        .snapshots(
            new HostpathSnapshots(
                parts.state(),
                parts.data(),
                parts.topology(),
                parts.snapshots(),
                parts.host().clock()))
        .snapshotLookup(listing);
    if (parts.settings().features().listSnapshots()) {
      controller.snapshotListing(listing);
    }
  }

  private void options(ControllerBuilder controller) {
    HostpathSettings settings = parts.settings();
    FeatureSettings features = settings.features();
    if (parts.honoursTopology()) {
      controller.topology();
      if (settings.advertised() == SpecVersion.V1_13) {
        controller.snapshotTopology();
      }
    }
    if (settings.attach().enabled()) {
      controller
          .attachments(
              new HostpathAttachments(
                  parts.state().volumes(), parts.uses(), settings.nodeId(), settings.attach()))
          .publishReadonly()
          .publishedNodes();
    }
    if (features.expansion().onController()) {
      controller.expansion(
          new HostpathExpansion(
              parts.state().volumes(),
              parts.backings(),
              parts.growth(),
              features.expansion().onNode()));
    }
    if (features.modify().enabled()) {
      controller.modification(new HostpathModification(parts.state().volumes(), features.modify()));
    }
  }
}
