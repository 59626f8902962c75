package dev.csijava.testkit.conformance;

import com.google.common.base.Splitter;
import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.GetPluginCapabilitiesRequest;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.spec.v1.IdentityGrpc;
import io.grpc.Status;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** GetPluginInfo and GetPluginCapabilities. */
final class IdentityCases implements CaseGroup {
  private static final int LONGEST_NAME = 63;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");
  private static final Pattern PART = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?");

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "get-plugin-info",
            "The plugin has a name as the specification wants it, and a version",
            IdentityCases::name,
            "IDENT-INFO-001",
            "IDENT-INFO-002",
            "IDENT-INFO-003",
            "IDENT-INFO-004",
            "IDENT-INFO-005",
            "IDENT-INFO-007"),
        Case.of(
            "get-plugin-capabilities",
            "The plugin tells what it can",
            c -> {
              c.ok(
                  "IDENT-CAPS-001",
                  () ->
                      c.identity()
                          .getPluginCapabilities(
                              GetPluginCapabilitiesRequest.getDefaultInstance()));
              c.check(
                  "IDENT-CAPS-003", c.advertises("plugin:CONTROLLER_SERVICE"), "a controller", "");
            },
            "IDENT-CAPS-001",
            "IDENT-CAPS-003"),
        Case.of(
            "IDENT-CAPS-005",
            c -> {
              Outcome<?> asked =
                  Outcome.of(
                      () ->
                          c.controller()
                              .controllerGetCapabilities(
                                  ControllerGetCapabilitiesRequest.getDefaultInstance()));
              c.check(
                  asked.code() != Status.Code.UNIMPLEMENTED,
                  "a Controller service behind CONTROLLER_SERVICE",
                  asked);
            }),
        Case.of(
            "IDENT-CAPS-009",
            c ->
                c.check(
                    c.advertises("ctrl:EXPAND_VOLUME") || c.advertises("node:EXPAND_VOLUME"),
                    "EXPAND_VOLUME of the controller or the node",
                    c.driver().words())),
        Case.of(
            "IDENT-CAPS-010",
            c ->
                c.check(
                    c.advertises("ctrl:EXPAND_VOLUME"),
                    "EXPAND_VOLUME of the controller",
                    c.driver().words())),
        Case.of(
            "IDENT-CAPS-002",
            c -> {
              c.need(
                  !c.settings().controllerEndpoint().equals(c.settings().endpoint()),
                  "--controller-endpoint is not given, so there is one instance only");
              var here =
                  c.ok(
                      () ->
                          c.identity()
                              .getPluginCapabilities(
                                  GetPluginCapabilitiesRequest.getDefaultInstance()));
              var there =
                  c.ok(
                      () ->
                          IdentityGrpc.newBlockingStub(c.channel("Controller"))
                              .getPluginCapabilities(
                                  GetPluginCapabilitiesRequest.getDefaultInstance()));
              c.same(
                  "IDENT-CAPS-002",
                  Set.copyOf(here.getCapabilitiesList()),
                  Set.copyOf(there.getCapabilitiesList()));
            }),
        Case.of(
            "CTRL-CAPS-001",
            c ->
                c.ok(
                    () ->
                        c.controller()
                            .controllerGetCapabilities(
                                ControllerGetCapabilitiesRequest.getDefaultInstance()))),
        Case.of(
            "CTRL-CAPS-003",
            c ->
                c.check(
                    c.advertises("ctrl:PUBLISH_UNPUBLISH_VOLUME"),
                    "PUBLISH_UNPUBLISH_VOLUME as well",
                    c.driver().words())));
  }

  private static void name(CaseContext c) {
    GetPluginInfoResponse info =
        c.ok(
            "IDENT-INFO-001",
            () -> c.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()));
    String name = info.getName();
    c.check("IDENT-INFO-002", !name.isEmpty(), "a name", "none");
    c.check("IDENT-INFO-003", name.length() <= LONGEST_NAME, "63 characters at most", name);
    c.check("IDENT-INFO-004", NAME.matcher(name).matches(), "letters, digits, dashes, dots", name);
    boolean domain =
        Splitter.on('.').splitToList(name).stream().allMatch(part -> PART.matcher(part).matches());
    c.check("IDENT-INFO-005", domain, "a domain name without an empty part", name);
    c.check("IDENT-INFO-007", !info.getVendorVersion().isEmpty(), "a version", "none");
  }
}
