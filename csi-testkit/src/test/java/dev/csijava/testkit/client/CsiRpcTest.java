package dev.csijava.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import io.grpc.MethodDescriptor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CsiRpcTest {
  /** What a new version of CSI brings is asked for here first. */
  @Test
  void everyRpcOfTheInterfaceIsKnown() {
    List<MethodDescriptor<?, ?>> all =
        Stream.of(
                IdentityGrpc.getServiceDescriptor(),
                ControllerGrpc.getServiceDescriptor(),
                GroupControllerGrpc.getServiceDescriptor(),
                SnapshotMetadataGrpc.getServiceDescriptor(),
                NodeGrpc.getServiceDescriptor())
            .<MethodDescriptor<?, ?>>flatMap(service -> service.getMethods().stream())
            .toList();
    assertThat(Arrays.stream(CsiRpc.values()).<MethodDescriptor<?, ?>>map(CsiRpc::method))
        .containsExactlyInAnyOrderElementsOf(all);
  }
}
