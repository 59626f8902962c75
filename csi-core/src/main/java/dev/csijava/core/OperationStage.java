package dev.csijava.core;

import com.google.protobuf.Message;
import dev.csijava.core.operation.Completion;
import dev.csijava.core.operation.Fingerprint;
import dev.csijava.core.operation.OperationKeys;
import dev.csijava.core.operation.Operations;
import org.jspecify.annotations.Nullable;

/** Joins a call to an identical one that runs, or runs it under the locks that it needs. */
final class OperationStage implements Stage {
  private final Operations operations;
  private final Stage next;

  OperationStage(Operations operations, Stage next) {
    this.operations = operations;
    this.next = next;
  }

  @Override
  public void handle(Call call) {
    OperationKeys keys = OperationKeys.of(call.request());
    if (!keys.joins()) {
      next.handle(call);
      return;
    }
    operations.run(
        keys,
        Fingerprint.of(call.request()),
        abandoned -> work(call.inContext(new JoinedCallContext(call.context(), abandoned))),
        new Answer(call));
  }

  private Message work(Call call) {
    Kept kept = new Kept();
    SharedFailure.guard(call.request(), () -> next.handle(call.replyingTo(kept)));
    if (kept.response == null) {
      throw new IllegalStateException(call.rpc() + " ended without a response");
    }
    return kept.response;
  }

  /** Keeps the one response for everybody who joined. */
  private static final class Kept implements Reply {
    private @Nullable Message response;

    @Override
    public void send(Message message) {
      response = message;
    }

    @Override
    public void end() {}

    @Override
    public void fail(Throwable failure) {
      throw new IllegalStateException("inside an operation failures are thrown", failure);
    }
  }

  private record Answer(Call call) implements Completion<Message> {
    @Override
    public void succeeded(Message response) {
      call.reply().send(response);
      call.reply().end();
    }

    @Override
    public void failed(Throwable failure) {
      call.reply().fail(failure);
    }

    @Override
    public boolean isAbandoned() {
      return call.context().isCancelled();
    }
  }
}
