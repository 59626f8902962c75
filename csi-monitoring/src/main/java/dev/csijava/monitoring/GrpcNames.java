package dev.csijava.monitoring;

import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Names as the metrics of Go drivers and sidecars have them, so that dashboards fit both. */
final class GrpcNames {
  private static final Map<String, String> METHODS = methods();

  private GrpcNames() {}

  /** For {@code NodeStageVolume} the full method, {@code /csi.v1.Node/NodeStageVolume}. */
  static String method(String rpc) {
    return METHODS.getOrDefault(rpc, rpc);
  }

  /** For INVALID_ARGUMENT {@code InvalidArgument}. */
  static String code(Status.Code code) {
    if (code == Status.Code.OK) {
      return "OK";
    }
    if (code == Status.Code.CANCELLED) {
      return "Canceled";
    }
    StringBuilder name = new StringBuilder();
    for (String word : List.of(code.name().split("_", -1))) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }

  private static Map<String, String> methods() {
    Map<String, String> methods = new HashMap<>();
    for (ServiceDescriptor service :
        List.of(
            IdentityGrpc.getServiceDescriptor(),
            ControllerGrpc.getServiceDescriptor(),
            GroupControllerGrpc.getServiceDescriptor(),
            SnapshotMetadataGrpc.getServiceDescriptor(),
            NodeGrpc.getServiceDescriptor())) {
      for (MethodDescriptor<?, ?> method : service.getMethods()) {
        String full = method.getFullMethodName();
        methods.put(full.substring(full.lastIndexOf('/') + 1), "/" + full);
      }
    }
    return Map.copyOf(methods);
  }
}
