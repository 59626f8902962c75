package dev.csijava.testkit.conformance;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import dev.csijava.testkit.client.CallObserver;
import dev.csijava.testkit.client.RecordingInterceptor;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Blocking stubs of all five services, whose calls have a deadline, carry the user's secrets and
 * are observed.
 */
final class Stubs {
  /** Set on a call that goes out without the user's secrets. */
  static final CallOptions.Key<Boolean> NO_SECRETS =
      CallOptions.Key.createWithDefault("csi-testkit-no-secrets", false);

  private final Channel node;
  private final Channel controller;

  Stubs(
      Channel node,
      Channel controller,
      Settings settings,
      Duration timeout,
      Map<String, String> extraSecrets,
      Optional<CallGate> gate,
      CallObserver observer) {
    List<ClientInterceptor> chain = new ArrayList<>();
    chain.add(new Deadline(timeout));
    chain.add(new Secrets(settings.secrets(), extraSecrets));
    gate.ifPresent(chain::add);
    chain.add(new RecordingInterceptor(observer));
    this.node = ClientInterceptors.interceptForward(node, chain);
    this.controller = ClientInterceptors.interceptForward(controller, chain);
  }

  Channel nodeChannel() {
    return node;
  }

  Channel controllerChannel() {
    return controller;
  }

  IdentityGrpc.IdentityBlockingStub identity() {
    return IdentityGrpc.newBlockingStub(node);
  }

  ControllerGrpc.ControllerBlockingStub controller() {
    return ControllerGrpc.newBlockingStub(controller);
  }

  GroupControllerGrpc.GroupControllerBlockingStub group() {
    return GroupControllerGrpc.newBlockingStub(controller);
  }

  SnapshotMetadataGrpc.SnapshotMetadataBlockingStub metadata() {
    return SnapshotMetadataGrpc.newBlockingStub(controller);
  }

  NodeGrpc.NodeBlockingStub node() {
    return NodeGrpc.newBlockingStub(node);
  }

  private record Deadline(Duration timeout) implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      return next.newCall(
          method,
          options.getDeadline() != null
              ? options
              : options.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS));
    }
  }

  private record Secrets(Map<String, Map<String, String>> byRpc, Map<String, String> extra)
      implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      ClientCall<Q, A> call = next.newCall(method, options);
      Map<String, String> secrets = new HashMap<>(extra);
      secrets.putAll(byRpc.getOrDefault(String.valueOf(method.getBareMethodName()), Map.of()));
      if (secrets.isEmpty() || options.getOption(NO_SECRETS)) {
        return call;
      }
      return new SimpleForwardingClientCall<Q, A>(call) {
        @Override
        @SuppressWarnings("unchecked") // the builder of a message builds the same type
        public void sendMessage(Q message) {
          super.sendMessage((Q) filled((Message) message, secrets));
        }
      };
    }

    private static Message filled(Message message, Map<String, String> secrets) {
      FieldDescriptor field = message.getDescriptorForType().findFieldByName("secrets");
      if (field == null || message.getRepeatedFieldCount(field) > 0) {
        return message;
      }
      Message.Builder builder = message.toBuilder();
      FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
      FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
      secrets.forEach(
          (name, secret) ->
              builder.addRepeatedField(
                  field,
                  builder
                      .newBuilderForField(field)
                      .setField(key, name)
                      .setField(value, secret)
                      .build()));
      return builder.build();
    }
  }
}
