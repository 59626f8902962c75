package dev.csijava.testkit.client;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands every call that ends to an observer, before the caller sees its end.
 *
 * @since 0.1.0
 */
public final class RecordingInterceptor implements ClientInterceptor {
  private final CallObserver observer;

  /**
   * For this observer.
   *
   * @since 0.1.0
   */
  public RecordingInterceptor(CallObserver observer) {
    this.observer = observer;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new Recorded<>(
        next.newCall(method, options), String.valueOf(method.getBareMethodName()));
  }

  private final class Recorded<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final String rpc;
    private final long began = System.nanoTime();
    private final List<Message> responses = new ArrayList<>();
    private volatile @Nullable Message request;

    Recorded(ClientCall<Q, A> call, String rpc) {
      super(call);
      this.rpc = rpc;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      super.start(
          new SimpleForwardingClientCallListener<A>(listener) {
            @Override
            public void onMessage(A message) {
              responses.add((Message) message);
              super.onMessage(message);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              try {
                ended(status, trailers);
              } finally {
                // Whatever the observer does, the caller must not wait for ever.
                super.onClose(status, trailers);
              }
            }
          },
          headers);
    }

    @Override
    public void sendMessage(Q message) {
      request = (Message) message;
      super.sendMessage(message);
    }

    private void ended(Status status, Metadata trailers) {
      Message sent = request;
      if (sent == null) {
        return;
      }
      StringBuilder answers = new StringBuilder();
      for (Message response : responses) {
        answers.append(answers.isEmpty() ? "" : "\n").append(SafeText.of(response));
      }
      String message = status.getDescription() == null ? "" : status.getDescription();
      observer.ended(
          new CallRecord(
              rpc,
              SafeText.of(sent),
              answers.toString(),
              status.getCode(),
              SafeText.strike(message, sent),
              Duration.ofNanos(System.nanoTime() - began)),
          sent,
          List.copyOf(responses),
          status,
          trailers);
    }
  }
}
