package dev.csijava.core;

import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;
import dev.csijava.spec.v1.VolumeCondition;
import dev.csijava.spec.v1.VolumeHealth;

/** Rules of answers about health, in the forms of CSI 1.12 and 1.13. */
final class HealthAnswerRules {
  private HealthAnswerRules() {}

  static void add(RuleTable.Builder table) {
    entries(table);
    FieldRules r = table.rules();
    table
        .on(ControllerGetVolumeHealthResponse.getDescriptor())
        .field("volume_health", r.required("V113-CHEALTH-003"))
        .message(
            MessageRule.onAnswer(
                ControllerGetVolumeHealthRequest.class,
                ControllerGetVolumeHealthResponse.class,
                Rule.ofAnswerPartly("is of the volume asked for", "V113-CHEALTH-003"),
                (request, answer, rule, walk) ->
                    AnswerChecks.sameId(
                        request.getVolumeId(),
                        answer.getVolumeHealth().getVolumeId(),
                        "volume_health.volume_id",
                        rule,
                        walk)));
    table
        .on(NodeGetVolumeHealthResponse.getDescriptor())
        .field("volume_health", r.required())
        .message(
            MessageRule.onAnswer(
                NodeGetVolumeHealthRequest.class,
                NodeGetVolumeHealthResponse.class,
                Rule.ofAnswerPartly("is of the volume asked for", "V113-NHEALTH-003"),
                (request, answer, rule, walk) ->
                    AnswerChecks.sameId(
                        request.getVolumeId(),
                        answer.getVolumeHealth().getVolumeId(),
                        "volume_health.volume_id",
                        rule,
                        walk)));
    table
        .on(ControllerListVolumeHealthResponse.getDescriptor())
        .message(
            listed(
                Rule.ofAnswerPartly("has no more entries than max_entries", "V113-LHEALTH-003"),
                (request, answer, rule, walk) ->
                    AnswerChecks.pageLength(
                        request.getMaxEntries(), answer.getEntriesCount(), rule, walk)))
        .message(
            listed(
                Rule.ofAnswerPartly("has a next_token that moves", "V113-LHEALTH-003"),
                (request, answer, rule, walk) ->
                    AnswerChecks.tokenMoves(
                        request.getStartingToken(), answer.getNextToken(), rule, walk)))
        .message(
            listed(
                Rule.ofAnswerPartly(
                    "lists only unhealthy volumes", "V113-LHEALTH-001", "V113-LHEALTH-002"),
                HealthAnswerRules::checkUnhealthy));
  }

  private static void entries(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table.on(VolumeCondition.getDescriptor()).field("message", r.required("GEN-COND-001").partly());
    table.on(VolumeHealth.getDescriptor()).field("volume_id", r.required("V113-CHEALTH-003"));
    table
        .on(VolumeHealth.VolumeHealthEntry.getDescriptor())
        .field("status", r.knownEnum("V113-CHEALTH-004"))
        .field("reason", reason(r, "V113-CHEALTH-004"));
    table
        .on(NodeGetStorageHealthResponse.StorageBackendHealth.getDescriptor())
        .field("status", r.knownEnum("V113-SHEALTH-002"))
        .field("reason", reason(r, "V113-SHEALTH-002"));
  }

  private static FieldRule reason(FieldRules r, String id) {
    return r.value(
        "is one word in CamelCase",
        (value, rule, walk) -> {
          if (value instanceof String reason && !NameSyntax.isCamelCase(reason)) {
            walk.broken(rule, "is not one word in CamelCase such as DiskFailure");
          }
        },
        id);
  }

  private static MessageRule listed(
      Rule rule,
      MessageRule.AnswerCheck<ControllerListVolumeHealthRequest, ControllerListVolumeHealthResponse>
          check) {
    return MessageRule.onAnswer(
        ControllerListVolumeHealthRequest.class,
        ControllerListVolumeHealthResponse.class,
        rule,
        check);
  }

  private static void checkUnhealthy(
      ControllerListVolumeHealthRequest request,
      ControllerListVolumeHealthResponse answer,
      Rule rule,
      RuleWalk walk) {
    for (int i = 0; i < answer.getEntriesCount(); i++) {
      if (answer.getEntries(i).getHealthStatusesCount() == 0) {
        walk.brokenBelow(
            rule,
            "entries[" + i + "].health_statuses",
            "is empty; leave a healthy volume out of the list");
        return;
      }
    }
  }
}
