package dev.csijava.core;

import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.spec.v1.PluginCapability;

/** Rules of the Identity service. Its requests are empty. */
final class IdentityRules {
  private IdentityRules() {}

  static void answers(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(GetPluginInfoResponse.getDescriptor())
        .field(
            "name",
            r.required("IDENT-INFO-002"),
            r.value(
                "is a domain name of at most 63 characters",
                (value, rule, walk) -> {
                  String problem =
                      value instanceof String name && !name.isEmpty()
                          ? NameSyntax.pluginName(name)
                          : null;
                  if (problem != null) {
                    walk.broken(rule, problem);
                  }
                },
                "IDENT-INFO-003",
                "IDENT-INFO-004",
                "IDENT-INFO-005"))
        .field("vendor_version", r.required("IDENT-INFO-007"));
    table
        .on(PluginCapability.getDescriptor())
        .message(
            MessageRule.on(
                PluginCapability.class,
                Rule.ofAnswer("has a type", "GEN-FIELD-004"),
                (capability, rule, walk) -> {
                  if (capability.getTypeCase() == PluginCapability.TypeCase.TYPE_NOT_SET) {
                    walk.brokenBelow(rule, "type", "is missing; set service or volume_expansion");
                  }
                }));
  }
}
