package dev.csijava.core;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import dev.csijava.core.FieldRule.Kind;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeContentSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of the messages that occur in several others. */
final class CommonRules {
  private CommonRules() {}

  static void requests(RuleTable.Builder table) {
    FieldRules r = table.rules();
    FieldRule knownMode = r.knownEnum("GEN-VCAP-003");
    volumeCapability(table);
    contentSource(table, "CTRL-CREATE-036", "CTRL-CREATE-037");
    capacityRange(table);
    topologyRequirement(table);
    table
        .on(VolumeCapability.AccessMode.getDescriptor())
        .field(
            "mode",
            new FieldRule(
                Kind.ENUM,
                knownMode.rule(),
                // The provisioner asks for capacity with a capability that names no mode.
                (value, rule, walk) -> {
                  if (!(walk.root() instanceof GetCapacityRequest && isZero(value))) {
                    knownMode.check().check(value, rule, walk);
                  }
                }));
    table
        .on(Topology.getDescriptor())
        .field(
            "segments",
            r.rule(
                Kind.REQUIRED,
                "must hold one entry or more",
                // The provisioner asks for capacity so where no driver offers topology.
                (value, rule, walk) -> {
                  if (FieldRules.map(value).isEmpty()
                      && !(walk.root() instanceof GetCapacityRequest)) {
                    walk.broken(rule, "is missing; a topology needs one segment or more");
                  }
                },
                "GEN-TOPO-008",
                "GEN-FIELD-002"))
        .field("segments", TopologyRules.ofRequests(r));
  }

  static void answers(RuleTable.Builder table) {
    FieldRules r = table.rules();
    volumeCapability(table);
    contentSource(table, "GEN-FIELD-004");
    table
        .on(Topology.getDescriptor())
        .field("segments", r.requiredList())
        .field("segments", TopologyRules.ofAnswers(r));
  }

  private static void volumeCapability(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(VolumeCapability.getDescriptor())
        .field("access_mode", r.required("GEN-VCAP-002"))
        .message(
            MessageRule.on(
                VolumeCapability.class,
                Rule.of(r.code(), "has an access_type", "GEN-VCAP-001"),
                (capability, rule, walk) -> {
                  if (capability.getAccessTypeCase()
                      == VolumeCapability.AccessTypeCase.ACCESSTYPE_NOT_SET) {
                    walk.brokenBelow(rule, "access_type", "is missing; set block or mount");
                  }
                }));
    table
        .on(VolumeCapability.MountVolume.getDescriptor())
        .field("mount_flags", r.totalSize(FieldRules.MAP_BYTES, "GEN-SIZE-006"));
  }

  private static void contentSource(RuleTable.Builder table, String... ids) {
    FieldRules r = table.rules();
    String[] idIds = {ids[ids.length - 1]};
    table
        .on(VolumeContentSource.getDescriptor())
        .message(
            MessageRule.on(
                VolumeContentSource.class,
                Rule.of(r.code(), "has a type", ids[0]),
                (source, rule, walk) -> {
                  if (source.getTypeCase() == VolumeContentSource.TypeCase.TYPE_NOT_SET) {
                    walk.brokenBelow(rule, "type", "is missing or unknown; set snapshot or volume");
                  }
                }));
    table
        .on(VolumeContentSource.SnapshotSource.getDescriptor())
        .field("snapshot_id", r.required(idIds));
    table
        .on(VolumeContentSource.VolumeSource.getDescriptor())
        .field("volume_id", r.required(idIds));
  }

  private static void capacityRange(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(CapacityRange.getDescriptor())
        .field("required_bytes", r.notNegative("GEN-RANGE-002"))
        .field("limit_bytes", r.notNegative("GEN-RANGE-002"))
        .message(
            MessageRule.on(
                CapacityRange.class,
                Rule.of(r.code(), "has one bound at least", "GEN-RANGE-001"),
                (range, rule, walk) -> {
                  if (range.getRequiredBytes() == 0 && range.getLimitBytes() == 0) {
                    walk.broken(
                        rule, "has no bound; set required_bytes or limit_bytes, or leave it out");
                  }
                }))
        .message(
            MessageRule.on(
                CapacityRange.class,
                Rule.of(r.code(), "has no limit below what is required", "GEN-RANGE-005"),
                (range, rule, walk) -> {
                  if (range.getLimitBytes() > 0
                      && range.getLimitBytes() < range.getRequiredBytes()) {
                    walk.broken(
                        rule,
                        "has limit_bytes "
                            + range.getLimitBytes()
                            + " below required_bytes "
                            + range.getRequiredBytes()
                            + "; no size fits");
                  }
                }));
  }

  private static void topologyRequirement(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(TopologyRequirement.getDescriptor())
        .message(
            MessageRule.on(
                TopologyRequirement.class,
                Rule.of(r.code(), "has requisite or preferred topologies", "CTRL-CREATE-040"),
                (topologies, rule, walk) -> {
                  if (topologies.getRequisiteCount() == 0 && topologies.getPreferredCount() == 0) {
                    walk.broken(
                        rule, "has neither requisite nor preferred; fill one or leave it out");
                  }
                }))
        .message(
            MessageRule.on(
                TopologyRequirement.class,
                Rule.of(r.code(), "prefers only requisite topologies", "CTRL-CREATE-047"),
                CommonRules::checkPreferred));
  }

  private static void checkPreferred(TopologyRequirement topologies, Rule rule, RuleWalk walk) {
    List<Topology> requisite = topologies.getRequisiteList();
    if (requisite.isEmpty()) {
      return;
    }
    // A caller may name all nodes of its cluster in both lists, as a rule by the same keys.
    Set<Topology> spelled = new HashSet<>(requisite);
    for (int i = 0; i < topologies.getPreferredCount(); i++) {
      Topology preferred = topologies.getPreferred(i);
      if (!spelled.contains(preferred)
          && requisite.stream().noneMatch(topology -> TopologyRules.same(topology, preferred))) {
        walk.brokenBelow(
            rule, "preferred[" + i + "]", "is not among the requisite topologies; add it there");
        return;
      }
    }
  }

  private static boolean isZero(@Nullable Object value) {
    return value instanceof EnumValueDescriptor constant && constant.getNumber() == 0;
  }
}
