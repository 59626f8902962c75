package dev.csijava.hostpath;

import dev.csijava.core.CsiDriver;
import dev.csijava.core.mount.Mounter;
import dev.csijava.hostpath.ephemeral.InlineVolumes;
import dev.csijava.hostpath.health.HostpathNodeHealth;
import dev.csijava.hostpath.health.HostpathStorageHealth;
import dev.csijava.hostpath.node.HostpathNodeExpansion;
import dev.csijava.hostpath.node.HostpathPublishing;
import dev.csijava.hostpath.node.HostpathStaging;
import dev.csijava.hostpath.node.HostpathStats;
import dev.csijava.hostpath.node.InlinePublishing;
import dev.csijava.hostpath.node.NodeVolumes;
import dev.csijava.hostpath.node.Publications;
import dev.csijava.hostpath.node.StagedVolumes;
import dev.csijava.hostpath.removal.Detachment;
import dev.csijava.hostpath.state.Record;
import java.nio.file.Path;

/** Registers what the node offers by the settings. */
final class NodeAssembly {
  private final Parts parts;
  private final Publications publications;
  private final InlineVolumes inline;

  NodeAssembly(Parts parts, Publications publications) {
    this.parts = parts;
    this.publications = publications;
    this.inline =
        new InlineVolumes(
            parts.state().volumes(),
            parts.data(),
            parts.policy().sizes(),
            parts.policy().promises(),
            parts.uses());
  }

  /** Removes what pods left that vanished while no driver ran. */
  void sweep() {
    inline.sweep();
  }

  void register(CsiDriver.Builder driver) {
    HostpathSettings settings = parts.settings();
    Mounter mounter = parts.host().mounter();
    Detachment detachment = new Detachment(mounter);
    NodeVolumes volumes =
        new NodeVolumes(parts.state().volumes(), parts.backings(), mounter, parts.host().mounts());
    StagedVolumes staged = new StagedVolumes(volumes, parts.stagings(), detachment);
    driver.node(
        n -> {
          n.id(settings.nodeId())
              .maxVolumes(settings.attach().reported())
              .staging(new HostpathStaging(volumes, staged, parts.policy().attached()))
              .publishing(
                  new HostpathPublishing(
                      volumes,
                      staged,
                      publications,
                      mounter,
                      detachment,
                      new InlinePublishing(inline, volumes, staged, mounter, detachment),
                      parts.policy().attached()))
              .stats(new HostpathStats(volumes, parts.stagings()))
              .health(
                  new HostpathNodeHealth(
                      parts.state().volumes(), parts.backings(), mounter, this::isKnownAt))
              .storageHealth(new HostpathStorageHealth(parts.host().usage(), parts.state().root()))
              .singleNodeMultiWriter();
          if (settings.features().expansion().onNode() && !settings.features().inlineOnly()) {
            n.expansion(
                new HostpathNodeExpansion(
                    volumes, parts.stagings(), parts.growth(), settings.sizes().largestOnNode()));
          }
          if (parts.honoursTopology()) {
            n.topology(parts.topology().segments());
          }
        });
  }

  /** Whether this node remembers that a volume was published or staged at a path. */
  private boolean isKnownAt(Record volume, Path path) {
    return publications.isAt(volume, path) || parts.stagings().of(volume).contains(path);
  }
}
