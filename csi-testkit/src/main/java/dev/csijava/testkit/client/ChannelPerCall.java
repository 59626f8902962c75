package dev.csijava.testkit.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.function.Supplier;

/** Connects for each call and hangs up at its end. */
final class ChannelPerCall extends Channel {
  private final Supplier<ManagedChannel> connect;

  ChannelPerCall(Supplier<ManagedChannel> connect) {
    this.connect = connect;
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    ManagedChannel channel = connect.get();
    return new SimpleForwardingClientCall<Q, A>(channel.newCall(method, options)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<A>(listener) {
              @Override
              public void onClose(Status status, Metadata trailers) {
                channel.shutdown();
                super.onClose(status, trailers);
              }
            },
            headers);
      }
    };
  }

  @Override
  public String authority() {
    return "localhost";
  }
}
