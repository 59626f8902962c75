package dev.csijava.core;

import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability.RPC;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeUsage;
import io.grpc.Status;

/** Rules of the Node service. */
final class NodeRules {
  private static final String EPHEMERAL = NameSyntax.KUBERNETES_PREFIX + "ephemeral";

  private NodeRules() {}

  static void requests(RuleTable.Builder table) {
    staging(table);
    publishing(table);
    reporting(table);
  }

  private static void staging(RuleTable.Builder table) {
    FieldRules r = table.rules();
    PathRules paths = new PathRules(r);
    table
        .on(NodeStageVolumeRequest.getDescriptor())
        .field("volume_id", r.required("NODE-STAGE-002"))
        .field("staging_target_path", r.required("NODE-STAGE-003"))
        .field(
            "staging_target_path",
            paths.normalised("GEN-FIELD-003"),
            paths.absolute("NODE-STAGE-009"))
        .field(
            "volume_capability",
            r.required("NODE-STAGE-004"),
            singleWriterModes(Status.Code.FAILED_PRECONDITION, "NODE-STAGE-008"),
            mountGroup(r));
    table
        .on(NodeUnstageVolumeRequest.getDescriptor())
        .field("volume_id", r.required("NODE-UNSTAGE-002"))
        .field("staging_target_path", r.required("NODE-UNSTAGE-003"))
        .field(
            "staging_target_path",
            paths.normalised("GEN-FIELD-003"),
            paths.absolute("NODE-UNSTAGE-007"));
  }

  private static void publishing(RuleTable.Builder table) {
    FieldRules r = table.rules();
    PathRules paths = new PathRules(r);
    table
        .on(NodePublishVolumeRequest.getDescriptor())
        .field("volume_id", r.required("NODE-PUB-002"))
        .field("target_path", r.required("NODE-PUB-003"))
        .field("target_path", paths.normalised("GEN-FIELD-003"), paths.absolute("NODE-PUB-031"))
        .field(
            "staging_target_path",
            paths.normalised("GEN-FIELD-003"),
            paths.absolute("NODE-PUB-031"))
        .field(
            "volume_capability",
            r.required("NODE-PUB-004"),
            singleWriterModes(Status.Code.FAILED_PRECONDITION, "NODE-PUB-008"),
            mountGroup(r))
        .message(
            MessageRule.on(
                NodePublishVolumeRequest.class,
                Rule.of(
                    Status.Code.FAILED_PRECONDITION,
                    "names the staging_target_path when the driver stages",
                    "NODE-PUB-006"),
                NodeRules::checkStaged));
    table
        .on(NodeUnpublishVolumeRequest.getDescriptor())
        .field("volume_id", r.required("NODE-UNPUB-002"))
        .field("target_path", r.required("NODE-UNPUB-003"))
        .field("target_path", paths.normalised("GEN-FIELD-003"), paths.absolute("NODE-UNPUB-009"));
  }

  private static void reporting(RuleTable.Builder table) {
    FieldRules r = table.rules();
    PathRules paths = new PathRules(r);
    table
        .on(NodeGetVolumeStatsRequest.getDescriptor())
        .field("volume_id", r.required("NODE-STATS-002"))
        .field("volume_path", r.required("NODE-STATS-003"))
        .field(
            "volume_path",
            paths.normalised("GEN-FIELD-003"),
            paths.absoluteElseNotFound("NODE-STATS-013"))
        .field(
            "staging_target_path",
            paths.normalised("GEN-FIELD-003"),
            paths.absolute("NODE-STATS-013"));
    table
        .on(NodeGetVolumeHealthRequest.getDescriptor())
        .field("volume_id", r.required("V113-NHEALTH-001"))
        .field("volume_publish_path", r.required("V113-NHEALTH-001"))
        .field(
            "volume_publish_path",
            paths.normalised("GEN-FIELD-003"),
            paths.absolute("GEN-FIELD-003"))
        .field(
            "staging_target_path",
            paths.normalised("GEN-FIELD-003"),
            paths.absolute("GEN-FIELD-003"));
    table
        .on(NodeExpandVolumeRequest.getDescriptor())
        .field("volume_id", r.required("NODE-EXPAND-002"))
        .field("volume_path", r.required("NODE-EXPAND-003"))
        .field(
            "volume_path",
            paths.normalised("GEN-FIELD-003"),
            paths.absoluteElseNotFound("NODE-EXPAND-009").partly())
        .field(
            "staging_target_path",
            paths.normalised("GEN-FIELD-003"),
            paths.absolute("NODE-EXPAND-017"))
        .field(
            "volume_capability",
            singleWriterModes(Status.Code.INVALID_ARGUMENT, "NODE-EXPAND-005"));
  }

  static void answers(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table.on(NodeServiceCapability.getDescriptor()).field("rpc", r.required("GEN-FIELD-004"));
    table
        .on(NodeGetInfoResponse.getDescriptor())
        .field(
            "node_id",
            r.required("NODE-INFO-002"),
            r.size(FieldRules.NODE_ID_BYTES, "NODE-INFO-004"))
        .field("max_volumes_per_node", r.notNegative("NODE-INFO-006"))
        .field(
            "accessible_topology",
            r.needs(
                view -> view.has(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS),
                "VOLUME_ACCESSIBILITY_CONSTRAINTS",
                "NODE-INFO-008",
                "GEN-TOPO-009",
                "IDENT-CAPS-006"));
    table
        .on(NodeExpandVolumeResponse.getDescriptor())
        .field("capacity_bytes", r.notNegative("GEN-FIELD-004"));
    table
        .on(VolumeUsage.getDescriptor())
        .field("total", r.required("NODE-STATS-008"), r.notNegative("NODE-STATS-009"))
        .field("available", r.notNegative("NODE-STATS-009"))
        .field("used", r.notNegative("NODE-STATS-009"))
        .field("unit", r.knownEnum("NODE-STATS-008"));
    table
        .on(NodeGetVolumeStatsResponse.getDescriptor())
        .message(
            MessageRule.on(
                NodeGetVolumeStatsResponse.class,
                Rule.ofAnswerPartly("has usage, unless the volume is abnormal", "NODE-STATS-006"),
                (answer, rule, walk) -> {
                  if (walk.capabilities().has(RPC.Type.GET_VOLUME_STATS)
                      && answer.getUsageCount() == 0
                      && !answer.getVolumeCondition().getAbnormal()) {
                    walk.brokenBelow(rule, "usage", "is missing; give the volume's total in BYTES");
                  }
                }))
        .message(
            MessageRule.on(
                NodeGetVolumeStatsResponse.class,
                Rule.ofAnswer("has a volume_condition", "NODE-STATS-011"),
                (answer, rule, walk) -> {
                  if (walk.capabilities().has(RPC.Type.VOLUME_CONDITION)
                      && !answer.hasVolumeCondition()) {
                    walk.brokenBelow(
                        rule, "volume_condition", "is missing; the driver has VOLUME_CONDITION");
                  }
                }));
  }

  private static void checkStaged(NodePublishVolumeRequest request, Rule rule, RuleWalk walk) {
    // An inline volume of a pod is published without having been staged.
    if (request.getStagingTargetPath().isEmpty()
        && walk.capabilities().has(RPC.Type.STAGE_UNSTAGE_VOLUME)
        && !"true".equals(request.getVolumeContextMap().get(EPHEMERAL))) {
      walk.brokenBelow(
          rule, "staging_target_path", "is missing; call NodeStageVolume first and name its path");
    }
  }

  private static FieldRule singleWriterModes(Status.Code code, String partOf) {
    return AccessModeRules.singleWriterModes(
        code, view -> view.has(RPC.Type.SINGLE_NODE_MULTI_WRITER), partOf);
  }

  private static FieldRule mountGroup(FieldRules r) {
    return r.value(
        "asks for a volume_mount_group only with the capability VOLUME_MOUNT_GROUP",
        (value, rule, walk) -> {
          if (value instanceof VolumeCapability capability
              && !capability.getMount().getVolumeMountGroup().isEmpty()
              && !walk.capabilities().has(RPC.Type.VOLUME_MOUNT_GROUP)) {
            walk.brokenBelow(
                rule,
                "mount.volume_mount_group",
                "is set, but the driver lacks the capability VOLUME_MOUNT_GROUP; leave it out");
          }
        },
        "GEN-FIELD-003");
  }
}
