package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names of all RPCs. */
final class FakeRpcs {
  static final Set<String> NAMES =
      Stream.of(
              IdentityGrpc.getServiceDescriptor(),
              ControllerGrpc.getServiceDescriptor(),
              GroupControllerGrpc.getServiceDescriptor(),
              SnapshotMetadataGrpc.getServiceDescriptor(),
              NodeGrpc.getServiceDescriptor())
          .map(ServiceDescriptor::getMethods)
          .flatMap(Collection::stream)
          .map(MethodDescriptor::getBareMethodName)
          .collect(Collectors.toUnmodifiableSet());

  private FakeRpcs() {}
}
