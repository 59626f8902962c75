package dev.csijava.testkit.conformance;

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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Where the calls of a case go out: each is entered in the ledger before it is sent, and none is
 * sent once the case is over or the run was stopped, nor one that would change what others have.
 */
final class CallGate implements ClientInterceptor {
  private static final Duration CANCELLATION = Duration.ofSeconds(2);

  private final Ledger ledger;
  private final Others others;
  private final BooleanSupplier stopped;
  private final Set<Gated<?, ?>> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * For one case.
   *
   * @param others what no call may change
   * @param stopped whether no case may call any more
   */
  CallGate(Ledger ledger, Others others, BooleanSupplier stopped) {
    this.ledger = ledger;
    this.others = others;
    this.stopped = stopped;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new Gated<>(next.newCall(method, options));
  }

  /**
   * The case is over. What its threads have still under way is waited for, since an answer says
   * best what was made, and given up in the end.
   */
  void close(Duration atMost) throws InterruptedException {
    closed = true;
    boolean ended = ledger.awaitEnd(System.nanoTime() + atMost.toNanos());
    open.forEach(call -> call.cancel("the case is over", null));
    if (!ended) {
      ended = ledger.awaitEnd(System.nanoTime() + CANCELLATION.toNanos());
    }
    if (!ended) {
      ledger.giveUpWaiting();
    }
  }

  private final class Gated<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private boolean over;

    Gated(ClientCall<Q, A> call) {
      super(call);
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      super.start(
          new SimpleForwardingClientCallListener<A>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              end();
              super.onClose(status, trailers);
            }
          },
          headers);
    }

    private synchronized void end() {
      over = true;
      open.remove(this);
      ledger.ended(this);
    }

    private synchronized void begin(Message request) {
      if (!over) {
        open.add(this);
        ledger.begins(this, request);
      }
    }

    @Override
    public void sendMessage(Q message) {
      others
          .changedBy((Message) message)
          .ifPresent(
              what -> {
                throw new CaseStopped(CaseStopped.Kind.UNPREPARED, what);
              });
      begin((Message) message);
      if (closed || stopped.getAsBoolean()) {
        end();
        throw new CaseStopped(CaseStopped.Kind.SKIPPED, "the run was stopped");
      }
      super.sendMessage(message);
    }
  }
}
