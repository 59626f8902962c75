package dev.csijava.core;

import dev.csijava.spec.v1.GetPluginInfoResponse;
import java.util.Map;

/** GetPluginInfo, GetPluginCapabilities and Probe, from what was registered. */
final class IdentityService {
  private final GetPluginInfoResponse info;
  private final ProbeAnswers probe;
  private final CapabilityReplies replies;

  IdentityService(
      String name,
      String version,
      Map<String, String> manifest,
      Readiness readiness,
      CapabilityReplies replies) {
    this.info =
        GetPluginInfoResponse.newBuilder()
            .setName(name)
            .setVendorVersion(version)
            .putAllManifest(manifest)
            .build();
    this.probe = new ProbeAnswers(readiness);
    this.replies = replies;
  }

  GetPluginInfoResponse info() {
    return info;
  }

  void register(Handlers handlers) {
    handlers
        .unary(Rpc.GET_PLUGIN_INFO, (request, call) -> info)
        .unary(Rpc.GET_PLUGIN_CAPABILITIES, (request, call) -> replies.plugin())
        .unary(Rpc.PROBE, (request, call) -> probe.answer(call));
  }
}
