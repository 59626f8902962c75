package dev.csijava.core;

import com.google.protobuf.Int64Value;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.ControllerServiceCapability.RPC;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.GetCapacityResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeContentSource;
import java.util.List;

/** Rules of the Controller service's answers about volumes and capacity. */
final class ControllerAnswerRules {
  private ControllerAnswerRules() {}

  static void add(RuleTable.Builder table) {
    volume(table);
    create(table);
    list(table);
    get(table);
    expandAndCapacity(table);
    ConfirmedRules.add(table);
  }

  private static void volume(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(Volume.getDescriptor())
        .field("capacity_bytes", r.notNegative("CTRL-CREATE-055"))
        .field("volume_id", r.required("CTRL-CREATE-053", "CTRL-LISTVOL-011", "CTRL-GETVOL-004"))
        .field(
            "accessible_topology",
            r.needs(
                view -> view.has(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS),
                "VOLUME_ACCESSIBILITY_CONSTRAINTS",
                "GEN-TOPO-009",
                "IDENT-CAPS-006"));
    table
        .on(ControllerPublishVolumeResponse.getDescriptor())
        .field(
            "publish_context",
            r.mapSize(FieldRules.MAP_BYTES, "CTRL-PUB-019", "GEN-SIZE-002").partly());
    table.on(ControllerServiceCapability.getDescriptor()).field("rpc", r.required("GEN-FIELD-004"));
  }

  private static void create(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(CreateVolumeResponse.getDescriptor())
        .field("volume", r.required("CTRL-CREATE-053"))
        .message(
            created(
                Rule.ofAnswer("has the size required or more", "CTRL-CREATE-016"),
                (request, answer, rule, walk) ->
                    AnswerChecks.atLeast(
                        answer.getVolume().getCapacityBytes(),
                        request.getCapacityRange().getRequiredBytes(),
                        "volume.capacity_bytes",
                        rule,
                        walk)))
        .message(
            created(
                Rule.ofAnswer("has no size above the limit", "CTRL-CREATE-017"),
                (request, answer, rule, walk) ->
                    AnswerChecks.atMost(
                        answer.getVolume().getCapacityBytes(),
                        request.getCapacityRange().getLimitBytes(),
                        "volume.capacity_bytes",
                        rule,
                        walk)))
        .message(
            created(
                Rule.ofAnswer("names the source asked for", "CTRL-CREATE-038"),
                ControllerAnswerRules::checkSource))
        .message(
            created(
                Rule.ofAnswerPartly("is accessible from a requisite topology", "CTRL-CREATE-041"),
                ControllerAnswerRules::checkAccessible));
  }

  private static MessageRule created(
      Rule rule, MessageRule.AnswerCheck<CreateVolumeRequest, CreateVolumeResponse> check) {
    return MessageRule.onAnswer(CreateVolumeRequest.class, CreateVolumeResponse.class, rule, check);
  }

  private static void list(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(ListVolumesResponse.VolumeStatus.getDescriptor())
        .field(
            "published_node_ids",
            r.size(FieldRules.NODE_ID_BYTES, "GEN-SIZE-001"),
            r.noEmptyElements("GEN-FIELD-004"));
    table
        .on(ListVolumesResponse.Entry.getDescriptor())
        .field("volume", r.required("CTRL-LISTVOL-011"))
        .message(
            MessageRule.on(
                ListVolumesResponse.Entry.class,
                Rule.ofAnswer("has a status", "CTRL-LISTVOL-012"),
                (entry, rule, walk) -> {
                  if (walk.capabilities().has(RPC.Type.LIST_VOLUMES_PUBLISHED_NODES)
                      && !entry.hasStatus()) {
                    walk.brokenBelow(
                        rule, "status", "is missing; the driver has LIST_VOLUMES_PUBLISHED_NODES");
                  }
                }))
        .message(
            MessageRule.on(
                ListVolumesResponse.Entry.class,
                Rule.ofAnswer("has a volume_condition", "CTRL-LISTVOL-014"),
                (entry, rule, walk) -> {
                  if (walk.capabilities().has(RPC.Type.VOLUME_CONDITION)
                      && !entry.getStatus().hasVolumeCondition()) {
                    walk.brokenBelow(
                        rule,
                        "status.volume_condition",
                        "is missing; the driver has VOLUME_CONDITION");
                  }
                }));
    table
        .on(ListVolumesResponse.getDescriptor())
        .message(
            listed(
                Rule.ofAnswer("has no more entries than max_entries", "CTRL-LISTVOL-003"),
                (request, answer, rule, walk) ->
                    AnswerChecks.pageLength(
                        request.getMaxEntries(), answer.getEntriesCount(), rule, walk)))
        .message(
            listed(
                Rule.ofAnswerPartly("has a next_token that moves", "CTRL-LISTVOL-007"),
                (request, answer, rule, walk) ->
                    AnswerChecks.tokenMoves(
                        request.getStartingToken(), answer.getNextToken(), rule, walk)))
        .message(
            listed(
                Rule.ofAnswerPartly("names no volume twice on one page", "CTRL-LISTVOL-002"),
                (request, answer, rule, walk) ->
                    AnswerChecks.distinct(
                        answer.getEntriesList(),
                        entry -> entry.getVolume().getVolumeId(),
                        "volume.volume_id",
                        rule,
                        walk)));
  }

  private static MessageRule listed(
      Rule rule, MessageRule.AnswerCheck<ListVolumesRequest, ListVolumesResponse> check) {
    return MessageRule.onAnswer(ListVolumesRequest.class, ListVolumesResponse.class, rule, check);
  }

  private static void get(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(ControllerGetVolumeResponse.VolumeStatus.getDescriptor())
        .field(
            "published_node_ids",
            r.size(FieldRules.NODE_ID_BYTES, "GEN-SIZE-001"),
            r.noEmptyElements("GEN-FIELD-004"));
    table
        .on(ControllerGetVolumeResponse.getDescriptor())
        .field("volume", r.required("CTRL-GETVOL-004"))
        .field("status", r.required("CTRL-GETVOL-004"))
        .message(
            MessageRule.onAnswer(
                ControllerGetVolumeRequest.class,
                ControllerGetVolumeResponse.class,
                Rule.ofAnswer("is the volume asked for", "CTRL-GETVOL-004"),
                (request, answer, rule, walk) ->
                    AnswerChecks.sameId(
                        request.getVolumeId(),
                        answer.getVolume().getVolumeId(),
                        "volume.volume_id",
                        rule,
                        walk)))
        .message(
            MessageRule.on(
                ControllerGetVolumeResponse.class,
                Rule.ofAnswer("has a volume_condition", "CTRL-GETVOL-005"),
                (answer, rule, walk) -> {
                  if (walk.capabilities().has(RPC.Type.VOLUME_CONDITION)
                      && !answer.getStatus().hasVolumeCondition()) {
                    walk.brokenBelow(
                        rule,
                        "status.volume_condition",
                        "is missing; the driver has VOLUME_CONDITION");
                  }
                }));
  }

  private static void expandAndCapacity(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(ControllerExpandVolumeResponse.getDescriptor())
        .field("capacity_bytes", r.required("CTRL-EXPAND-013"), r.notNegative("CTRL-EXPAND-013"))
        .field(
            "node_expansion_required",
            r.value(
                "is set only when the node can expand",
                (value, rule, walk) -> {
                  if (Boolean.TRUE.equals(value)
                      && walk.capabilities().servesNode()
                      && !walk.capabilities().has(NodeServiceCapability.RPC.Type.EXPAND_VOLUME)) {
                    walk.broken(rule, "is true, but the driver has no node expansion");
                  }
                },
                "CTRL-EXPAND-015"))
        .message(
            expanded(
                (request, answer, rule, walk) ->
                    AnswerChecks.atLeast(
                        answer.getCapacityBytes(),
                        request.getCapacityRange().getRequiredBytes(),
                        "capacity_bytes",
                        rule,
                        walk)))
        .message(
            expanded(
                (request, answer, rule, walk) ->
                    AnswerChecks.atMost(
                        answer.getCapacityBytes(),
                        request.getCapacityRange().getLimitBytes(),
                        "capacity_bytes",
                        rule,
                        walk)));
    table
        .on(GetCapacityResponse.getDescriptor())
        .field("available_capacity", r.notNegative("CTRL-CAPACITY-002"))
        .field("maximum_volume_size", bound(r))
        .field("minimum_volume_size", bound(r));
  }

  private static MessageRule expanded(
      MessageRule.AnswerCheck<ControllerExpandVolumeRequest, ControllerExpandVolumeResponse>
          check) {
    return MessageRule.onAnswer(
        ControllerExpandVolumeRequest.class,
        ControllerExpandVolumeResponse.class,
        Rule.ofAnswer("has a size in the range asked for", "CTRL-EXPAND-013"),
        check);
  }

  private static FieldRule bound(FieldRules r) {
    return r.value(
            "is not negative",
            (value, rule, walk) -> {
              if (value instanceof Int64Value size && size.getValue() < 0) {
                walk.broken(rule, "is " + size.getValue() + "; it must not be negative");
              }
            },
            "CTRL-CAPACITY-007")
        .partly();
  }

  private static void checkSource(
      CreateVolumeRequest request, CreateVolumeResponse answer, Rule rule, RuleWalk walk) {
    VolumeContentSource asked = request.getVolumeContentSource();
    VolumeContentSource named = answer.getVolume().getContentSource();
    if (asked.getTypeCase() != named.getTypeCase()
        || !asked.getSnapshot().getSnapshotId().equals(named.getSnapshot().getSnapshotId())
        || !asked.getVolume().getVolumeId().equals(named.getVolume().getVolumeId())) {
      walk.brokenBelow(
          rule,
          "volume.content_source",
          request.hasVolumeContentSource()
              ? "is not the volume_content_source asked for"
              : "is set, but an empty volume was asked for");
    }
  }

  private static void checkAccessible(
      CreateVolumeRequest request, CreateVolumeResponse answer, Rule rule, RuleWalk walk) {
    TopologyRequirement asked = request.getAccessibilityRequirements();
    List<Topology> accessible = answer.getVolume().getAccessibleTopologyList();
    if (asked.getRequisiteCount() == 0 || accessible.isEmpty()) {
      return;
    }
    for (Topology requisite : asked.getRequisiteList()) {
      if (accessible.stream().anyMatch(place -> !TopologyRules.conflict(place, requisite))) {
        return;
      }
    }
    walk.brokenBelow(
        rule, "volume.accessible_topology", "lies in none of the requisite topologies");
  }
}
