package dev.csijava.testkit.fake;

import com.google.protobuf.Message;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the wire and the services: plays the script, writes the log, and breaks the driver
 * where a test wants it broken.
 */
final class ScriptedCalls implements ServerInterceptor {
  private final FakeScript script;
  private final CallLog log;
  private final FakeState state;
  private final List<Deviation> deviations;

  ScriptedCalls(FakeScript script, CallLog log, FakeState state, List<Deviation> deviations) {
    this.script = script;
    this.log = log;
    this.state = state;
    this.deviations = List.copyOf(deviations);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Observed<Q, R> observed = new Observed<>(call);
    return new Played<>(next.startCall(observed, headers), observed);
  }

  private final class Played<Q, R> extends SimpleForwardingServerCallListener<Q> {
    private final Observed<Q, R> call;

    Played(ServerCall.Listener<Q> inner, Observed<Q, R> call) {
      super(inner);
      this.call = call;
    }

    @Override
    @SuppressWarnings("unchecked") // a deviation keeps the type of a request
    public void onMessage(Q message) {
      Message request = (Message) message;
      call.request = request;
      for (Deviation deviation : deviations) {
        request = deviation.request(call.rpc, request);
      }
      super.onMessage((Q) request);
    }

    @Override
    public void onHalfClose() {
      Message request = call.request;
      if (request == null) {
        super.onHalfClose(); // without a message; gRPC itself refuses the call
        return;
      }
      call.faults = script.next(call.rpc);
      for (FakeScript.Fault fault : call.faults) {
        pause(fault.before());
      }
      for (FakeScript.Fault fault : call.faults) {
        if (!fault.instead().isOk()) {
          call.close(fault.instead(), new Metadata());
          return;
        }
      }
      synchronized (state) {
        deviations.forEach(deviation -> deviation.before(state, call.rpc, request));
      }
      super.onHalfClose();
    }
  }

  /** A call whose replies are kept until it ends, so that its end can still be changed. */
  private final class Observed<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private final String rpc;
    private final boolean unary;
    private final List<Message> replies = new ArrayList<>();
    private @Nullable Message request;
    private List<FakeScript.Fault> faults = List.of();
    private boolean headersSent;

    Observed(ServerCall<Q, R> call) {
      super(call);
      this.rpc = String.valueOf(call.getMethodDescriptor().getBareMethodName());
      this.unary = call.getMethodDescriptor().getType().serverSendsOneMessage();
    }

    @Override
    public void sendHeaders(Metadata headers) {
      headersSent = true;
      super.sendHeaders(headers);
    }

    @Override
    public void sendMessage(R message) {
      replies.add((Message) message);
      if (!unary && deviations.isEmpty() && faults.isEmpty()) {
        super.sendMessage(message);
      }
    }

    @Override
    public void close(Status status, Metadata trailers) {
      Deviation.Outcome outcome = outcome(status);
      Message asked = request;
      if (asked != null) {
        log.add(new RecordedCall(rpc, asked, outcome.replies(), outcome.status()));
      }
      if (unary || !deviations.isEmpty() || !faults.isEmpty()) {
        send(outcome.replies());
      }
      super.close(outcome.status(), trailers);
    }

    private Deviation.Outcome outcome(Status status) {
      Deviation.Outcome outcome = new Deviation.Outcome(replies, status);
      Message asked = request;
      if (asked == null) {
        return outcome;
      }
      for (FakeScript.Fault fault : faults) {
        pause(fault.after());
        if (outcome.status().isOk() && !fault.afterwards().isOk()) {
          outcome = Deviation.Outcome.of(fault.afterwards());
        }
      }
      for (Deviation deviation : deviations) {
        outcome = deviation.end(rpc, asked, outcome);
      }
      return outcome;
    }

    @SuppressWarnings("unchecked") // the replies of this very call, or a deviation's of their type
    private void send(List<Message> messages) {
      if (messages.isEmpty()) {
        return;
      }
      if (!headersSent) {
        sendHeaders(new Metadata());
      }
      messages.forEach(message -> super.sendMessage((R) message));
    }
  }

  private static void pause(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the driver is being closed
    }
  }
}
