package dev.csijava.testkit.manifests;

import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.testkit.client.DriverCapabilities;
import io.grpc.Channel;

/**
 * What manifests depend on.
 *
 * @param name the plugin name
 * @param capabilities what the driver advertises
 * @since 0.1.0
 */
public record DriverFacts(String name, DriverCapabilities capabilities) {
  /**
   * Asks a driver; blocks until it has answered.
   *
   * @throws io.grpc.StatusRuntimeException if the driver can't be reached or refuses to tell
   * @since 0.1.0
   */
  public static DriverFacts ask(Channel channel) {
    return new DriverFacts(
        IdentityGrpc.newBlockingStub(channel)
            .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
            .getName(),
        DriverCapabilities.ask(channel, channel));
  }

  boolean plugin(String service) {
    return capabilities.has("plugin:" + service);
  }

  boolean controller(String capability) {
    return capabilities.has("ctrl:" + capability);
  }

  boolean node(String capability) {
    return capabilities.has("node:" + capability);
  }

  boolean hasNode() {
    return capabilities.has(DriverCapabilities.NODE_SERVICE);
  }

  boolean provisions() {
    return controller("CREATE_DELETE_VOLUME");
  }

  boolean topology() {
    return plugin("VOLUME_ACCESSIBILITY_CONSTRAINTS");
  }

  boolean groupSnapshots() {
    return capabilities.has("group:CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT");
  }
}
