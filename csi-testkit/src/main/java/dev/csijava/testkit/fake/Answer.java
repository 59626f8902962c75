package dev.csijava.testkit.fake;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/** Runs one unary call under the driver's only lock and answers it. */
final class Answer {
  private final FakeState state;

  Answer(FakeState state) {
    this.state = state;
  }

  <R> void with(StreamObserver<R> observer, Supplier<R> work) {
    R reply;
    try {
      synchronized (state) {
        reply = work.get();
      }
    } catch (StatusRuntimeException e) {
      observer.onError(e);
      return;
    } catch (RuntimeException e) {
      observer.onError(Failure.internal("the fake driver has a fault of its own: " + e));
      return;
    }
    observer.onNext(reply);
    observer.onCompleted();
  }
}
