package dev.csijava.core;

import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse.Confirmed;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.List;
import java.util.Map;

/** Rules of what a driver confirms: all capabilities that were asked for, and nothing else. */
final class ConfirmedRules {
  private ConfirmedRules() {}

  static void add(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(Confirmed.getDescriptor())
        .field("volume_capabilities", r.requiredList("CTRL-VALIDATE-007"));
    table
        .on(ValidateVolumeCapabilitiesResponse.getDescriptor())
        .field(
            "message", r.size(FieldRules.TEXT_BYTES, "CTRL-VALIDATE-011", "GEN-SIZE-001").partly())
        .message(
            answer(
                Rule.ofAnswerPartly(
                    "confirms all the capabilities asked for or none", "CTRL-VALIDATE-006"),
                ConfirmedRules::checkAll))
        .message(
            answer(
                Rule.ofAnswerPartly("confirms only what was asked", "CTRL-VALIDATE-008"),
                ConfirmedRules::checkOnly));
  }

  private static MessageRule answer(
      Rule rule,
      MessageRule.AnswerCheck<ValidateVolumeCapabilitiesRequest, ValidateVolumeCapabilitiesResponse>
          check) {
    return MessageRule.onAnswer(
        ValidateVolumeCapabilitiesRequest.class,
        ValidateVolumeCapabilitiesResponse.class,
        rule,
        check);
  }

  private static void checkAll(
      ValidateVolumeCapabilitiesRequest request,
      ValidateVolumeCapabilitiesResponse answer,
      Rule rule,
      RuleWalk walk) {
    if (answer.hasConfirmed()
        && !containsAll(
            answer.getConfirmed().getVolumeCapabilitiesList(),
            request.getVolumeCapabilitiesList())) {
      walk.brokenBelow(
          rule,
          "confirmed.volume_capabilities",
          "lacks one that was asked for; leave confirmed unset if one is not supported");
    }
  }

  private static void checkOnly(
      ValidateVolumeCapabilitiesRequest request,
      ValidateVolumeCapabilitiesResponse answer,
      Rule rule,
      RuleWalk walk) {
    Confirmed confirmed = answer.getConfirmed();
    String why = "holds what was not asked; confirm only what was checked";
    if (!containsAll(request.getVolumeCapabilitiesList(), confirmed.getVolumeCapabilitiesList())) {
      walk.brokenBelow(rule, "confirmed.volume_capabilities", why);
    }
    if (!isAmong(confirmed.getVolumeContextMap(), request.getVolumeContextMap())) {
      walk.brokenBelow(rule, "confirmed.volume_context", why);
    }
    if (!isAmong(confirmed.getParametersMap(), request.getParametersMap())) {
      walk.brokenBelow(rule, "confirmed.parameters", why);
    }
    if (!isAmong(confirmed.getMutableParamsMap(), request.getMutableParamsMap())) {
      walk.brokenBelow(rule, "confirmed.mutable_parameters", why);
    }
  }

  private static boolean isAmong(Map<String, String> part, Map<String, String> whole) {
    return whole.entrySet().containsAll(part.entrySet());
  }

  private static boolean containsAll(List<VolumeCapability> whole, List<VolumeCapability> part) {
    return part.stream()
        .allMatch(wanted -> whole.stream().anyMatch(present -> same(present, wanted)));
  }

  // Fields that this version does not know can't be confirmed, so they don't count.
  private static boolean same(VolumeCapability a, VolumeCapability b) {
    return a.getAccessTypeCase() == b.getAccessTypeCase()
        && a.getAccessMode().getModeValue() == b.getAccessMode().getModeValue()
        && a.getMount().getFsType().equals(b.getMount().getFsType())
        && a.getMount().getMountFlagsList().equals(b.getMount().getMountFlagsList())
        && a.getMount().getVolumeMountGroup().equals(b.getMount().getVolumeMountGroup());
  }
}
