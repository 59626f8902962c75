package dev.csijava.core;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Calls any RPC over a connection with a valid request. */
final class WireCalls {
  private static final Map<Rpc, Message> REQUESTS = requests();

  private WireCalls() {}

  /** How a call of the RPC ends: OK, or what the caller got instead. */
  static Status call(ManagedChannel channel, Rpc rpc) {
    try {
      send(channel, rpc);
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  /** Throws whatever the caller gets but OK. */
  @SuppressWarnings("unchecked")
  static void send(ManagedChannel channel, Rpc rpc) {
    MethodDescriptor<Message, Message> method =
        (MethodDescriptor<Message, Message>) (MethodDescriptor<?, ?>) rpc.method();
    Message request = Objects.requireNonNull(REQUESTS.get(rpc), rpc.title());
    if (rpc.streams()) {
      ClientCalls.blockingServerStreamingCall(channel, method, CallOptions.DEFAULT, request)
          .forEachRemaining(reply -> {});
    } else {
      ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, request);
    }
  }

  private static Map<Rpc, Message> requests() {
    Map<Rpc, Message> requests = new EnumMap<>(Rpc.class);
    for (Rpc rpc : Rpc.values()) {
      for (Message request : ValidRequests.minimal()) {
        if (request.getDescriptorForType().getName().equals(rpc.title() + "Request")) {
          requests.put(rpc, request);
        }
      }
    }
    // Where volumes are staged, a publication must say where.
    requests.put(Rpc.NODE_PUBLISH_VOLUME, ValidRequests.publish().build());
    return requests;
  }
}
