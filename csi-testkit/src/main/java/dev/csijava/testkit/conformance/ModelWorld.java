package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a model of the specification knows after the calls so far. */
final class ModelWorld {
  /** A name for volumes, and what stands behind it. */
  static final class VolumeSlot {
    final String name;
    final List<String> targets;
    final Set<String> published = new HashSet<>();

    /** The id, or that of the volume that was there last, or one that never was. */
    String id;

    boolean there;
    long required;
    boolean grown;
    String source = "";
    boolean attached;
    boolean staged;
    @Nullable OnNode onNode;

    /** As the driver answered it, for callers must hand its context back. */
    private Volume answered = Volume.getDefaultInstance();

    VolumeSlot(String name, String unknownId, List<String> targets) {
      this.name = name;
      this.id = unknownId;
      this.targets = targets;
    }

    boolean inUse() {
      return attached || staged || !published.isEmpty();
    }

    OnNode at() {
      OnNode known = onNode;
      if (known == null) {
        throw new IllegalStateException(name + " was not taken to the node");
      }
      return known;
    }

    /** To be named in requests. */
    Volume volume() {
      return answered.getVolumeId().equals(id)
          ? answered
          : Volume.newBuilder().setVolumeId(id).build();
    }

    void created(Volume volume, long size, String from) {
      id = volume.getVolumeId();
      answered = volume;
      there = true;
      required = size;
      source = from;
      grown = false;
      onNode = null;
    }
  }

  /** A name for snapshots, and what stands behind it. */
  static final class SnapshotSlot {
    final String name;
    String id;
    boolean there;
    String sourceId = "";

    SnapshotSlot(String name, String unknownId) {
      this.name = name;
      this.id = unknownId;
    }
  }

  final List<VolumeSlot> volumes = new ArrayList<>();
  final List<SnapshotSlot> snapshots = new ArrayList<>();
  final Set<String> deleted = new HashSet<>();

  ModelWorld(CaseContext c) {
    NodeWork node = c.make().onNode();
    for (int i = 0; i < ModelStep.VOLUMES; i++) {
      List<String> targets = new ArrayList<>();
      for (int t = 0; t < ModelStep.TARGETS && c.advertises("service:Node"); t++) {
        targets.add(node.targetPath());
      }
      volumes.add(new VolumeSlot(c.name(), c.requests().unknownId(), targets));
    }
    for (int i = 0; i < ModelStep.SNAPSHOTS; i++) {
      snapshots.add(new SnapshotSlot(c.name(), c.requests().unknownId()));
    }
  }

  Optional<VolumeSlot> withId(String id) {
    return volumes.stream().filter(slot -> slot.there && slot.id.equals(id)).findFirst();
  }

  boolean hasSnapshots(VolumeSlot volume) {
    return snapshots.stream().anyMatch(s -> s.there && s.sourceId.equals(volume.id));
  }

  /** Whether a volume that was made from it is there. */
  boolean hasCopies(String sourceId) {
    return volumes.stream().anyMatch(slot -> slot.there && slot.source.equals(sourceId));
  }
}
