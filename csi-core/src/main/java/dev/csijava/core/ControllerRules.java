package dev.csijava.core;

import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerServiceCapability.RPC;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.VolumeContentSource;
import io.grpc.Status;

/** Rules of the Controller service's requests. */
final class ControllerRules {
  private ControllerRules() {}

  static void add(RuleTable.Builder table) {
    create(table);
    volumes(table);
    attachment(table);
    listing(table);
    snapshots(table);
  }

  private static void create(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(CreateVolumeRequest.getDescriptor())
        .field("name", r.required("CTRL-CREATE-002"), name(r, "CTRL-CREATE-014"))
        .field(
            "volume_capabilities",
            r.requiredList("CTRL-CREATE-003"),
            singleWriterModes("CTRL-CREATE-024"))
        .field(
            "volume_content_source",
            r.value(
                "is of a kind that the driver offers",
                (value, rule, walk) -> {
                  if (value instanceof VolumeContentSource source) {
                    checkSourceKind(source, rule, walk);
                  }
                },
                "CTRL-CREATE-032"))
        .field(
            "accessibility_requirements",
            r.needs(
                view -> view.has(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS),
                "VOLUME_ACCESSIBILITY_CONSTRAINTS",
                "CTRL-CREATE-039"))
        .field("mutable_parameters", modifying(r, "CTRL-CREATE-029"));
  }

  private static void volumes(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table.on(DeleteVolumeRequest.getDescriptor()).field("volume_id", r.required("CTRL-DELETE-002"));
    table
        .on(ValidateVolumeCapabilitiesRequest.getDescriptor())
        .field("volume_id", r.required("CTRL-VALIDATE-002"))
        .field("volume_capabilities", r.requiredList("CTRL-VALIDATE-003"))
        .field("mutable_parameters", modifying(r, "GEN-FIELD-003"));
    table
        .on(ControllerGetVolumeRequest.getDescriptor())
        .field("volume_id", r.required("CTRL-GETVOL-002"));
    table
        .on(ControllerGetVolumeHealthRequest.getDescriptor())
        .field("volume_id", r.required("V113-CHEALTH-001"));
    table
        .on(ControllerModifyVolumeRequest.getDescriptor())
        .field("volume_id", r.required("CTRL-MODIFY-002"))
        .field("mutable_parameters", r.requiredList("CTRL-MODIFY-003"));
    table
        .on(ControllerExpandVolumeRequest.getDescriptor())
        .field("volume_id", r.required("CTRL-EXPAND-002"))
        .field("capacity_range", r.required("CTRL-EXPAND-003"))
        .field("volume_capability", singleWriterModes("CTRL-EXPAND-006"));
  }

  private static void attachment(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(ControllerPublishVolumeRequest.getDescriptor())
        .field("volume_id", r.required("CTRL-PUB-002"))
        .field("node_id", r.required("CTRL-PUB-003"), nodeId(r))
        .field("volume_capability", r.required("CTRL-PUB-004"), singleWriterModes("CTRL-PUB-014"))
        .field(
            "readonly",
            r.needs(
                view -> view.has(RPC.Type.PUBLISH_READONLY), "PUBLISH_READONLY", "CTRL-PUB-016"));
    table
        .on(ControllerUnpublishVolumeRequest.getDescriptor())
        .field("volume_id", r.required("CTRL-UNPUB-002"))
        .field("node_id", nodeId(r));
  }

  private static void listing(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(ListVolumesRequest.getDescriptor())
        .field("max_entries", r.notNegative("CTRL-LISTVOL-006"));
    table
        .on(ListSnapshotsRequest.getDescriptor())
        .field("max_entries", r.notNegative("CTRL-LISTSNAP-007"));
    table
        .on(ControllerListVolumeHealthRequest.getDescriptor())
        .field("max_entries", r.notNegative("GEN-FIELD-003"));
    table
        .on(GetCapacityRequest.getDescriptor())
        .field(
            "accessible_topology",
            r.value(
                "is set only with the capability VOLUME_ACCESSIBILITY_CONSTRAINTS",
                // An empty one says nothing; the provisioner sends it to drivers without topology.
                (value, rule, walk) -> {
                  if (value instanceof Topology topology
                      && topology.getSegmentsCount() > 0
                      && !walk.capabilities()
                          .has(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS)) {
                    walk.broken(
                        rule,
                        "is set, but the driver lacks the capability"
                            + " VOLUME_ACCESSIBILITY_CONSTRAINTS; leave it out");
                  }
                },
                "CTRL-CAPACITY-006"));
  }

  private static void snapshots(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(CreateSnapshotRequest.getDescriptor())
        .field("source_volume_id", r.required("CTRL-SNAP-003"))
        .field("name", r.required("CTRL-SNAP-002"), name(r, "CTRL-SNAP-011"))
        .field(
            "accessibility_requirements",
            r.needs(
                view -> view.has(PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS),
                "SNAPSHOT_ACCESSIBILITY_CONSTRAINTS",
                "GEN-FIELD-003"));
    table
        .on(DeleteSnapshotRequest.getDescriptor())
        .field("snapshot_id", r.required("CTRL-DELSNAP-002"));
    table
        .on(GetSnapshotRequest.getDescriptor())
        .field("snapshot_id", r.required("CTRL-GETSNAP-002"));
  }

  /** A name that a caller chooses: any Unicode but for some control characters. */
  static FieldRule name(FieldRules r, String id) {
    return r.value(
        "holds no control character but tab, line feed and carriage return",
        (value, rule, walk) -> {
          if (value instanceof String name && TextChecks.hasBannedControlCharacter(name)) {
            walk.broken(rule, "holds a control character; only tab, LF and CR are allowed");
          }
        },
        id,
        "GEN-FIELD-003");
  }

  private static FieldRule nodeId(FieldRules r) {
    return r.size(FieldRules.NODE_ID_BYTES, "GEN-SIZE-005");
  }

  private static FieldRule modifying(FieldRules r, String id) {
    return r.needs(view -> view.has(RPC.Type.MODIFY_VOLUME), "MODIFY_VOLUME", id);
  }

  private static FieldRule singleWriterModes(String partOf) {
    return AccessModeRules.singleWriterModes(
        Status.Code.INVALID_ARGUMENT, view -> view.has(RPC.Type.SINGLE_NODE_MULTI_WRITER), partOf);
  }

  private static void checkSourceKind(VolumeContentSource source, Rule rule, RuleWalk walk) {
    RPC.Type needed =
        switch (source.getTypeCase()) {
          case SNAPSHOT -> RPC.Type.CREATE_DELETE_SNAPSHOT;
          case VOLUME -> RPC.Type.CLONE_VOLUME;
          case TYPE_NOT_SET -> RPC.Type.UNKNOWN;
        };
    if (needed != RPC.Type.UNKNOWN && !walk.capabilities().has(needed)) {
      walk.broken(
          rule,
          "is a "
              + (needed == RPC.Type.CLONE_VOLUME ? "volume" : "snapshot")
              + ", but the driver lacks the capability "
              + needed
              + "; create an empty volume");
    }
  }
}
