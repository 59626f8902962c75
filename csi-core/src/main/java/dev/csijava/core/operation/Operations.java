package dev.csijava.core.operation;

import dev.csijava.core.CsiException;
import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs calls so that each holds what it changes, identical ones share one execution, and what was
 * begun is finished whoever still waits for it (rule K8).
 *
 * <p>A call that is identical to one that runs or waits for its locks joins it: it gets the same
 * outcome, ABORTED included, and its thread is free at once. Nobody joins work that is over: the
 * engine closes it before it gives back its locks, so an answer is never older than a change that
 * came between. What nobody waits for any more when its locks are free is not begun.
 *
 * <p>Safe for use by any number of threads; has none of its own.
 *
 * <p>Not for drivers, which get it through {@link OperationSettings}: the pipeline runs every call
 * in it.
 *
 * @since 0.1.0
 */
public final class Operations implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Operations.class);

  private final Map<Fingerprint, RunningOperation<?>> running = new ConcurrentHashMap<>();
  private final KeyedLocks locks = new KeyedLocks();
  private final OperationSettings settings;
  private volatile boolean closed;

  /**
   * An engine in which nothing runs yet. A driver needs one for all its services.
   *
   * @since 0.1.0
   */
  public Operations(OperationSettings settings) {
    this.settings = settings;
  }

  /**
   * Joins an identical call that runs, or takes the locks and does the work on the calling thread,
   * which blocks meanwhile. The locks are held from before the work begins until it has ended,
   * whether it returns or throws.
   *
   * <p>{@code done} is called exactly once: on this thread before the method returns, or, where the
   * call joined or was abandoned, on the thread of another call of the same work. The method itself
   * throws nothing.
   *
   * @param keys what the call locks; where {@link OperationKeys#joins} is false the work just runs
   * @param fingerprint what tells identical calls
   * @param work the handler; must not return null
   * @param done gets the response or the failure: what the work threw, ABORTED when the locks were
   *     not free in time, UNAVAILABLE when the thread was interrupted while it waited for them or
   *     after {@link #close}
   * @since 0.1.0
   */
  public <R> void run(
      OperationKeys keys, Fingerprint fingerprint, Supplier<R> work, Completion<R> done) {
    run(keys, fingerprint, abandoned -> work.get(), done);
  }

  /**
   * The same for work that wants to know whether anybody still waits for it.
   *
   * @param work the handler; its argument says, whenever asked and by any thread, whether all who
   *     wait for the outcome have gone away. That is not for good: a retry may join later
   * @since 0.1.0
   */
  public <R> void run(
      OperationKeys keys,
      Fingerprint fingerprint,
      Function<BooleanSupplier, R> work,
      Completion<R> done) {
    RunningOperation<R> operation = new RunningOperation<>();
    operation.join(done);
    Supplier<R> execution = () -> work.apply(operation::isAbandoned);
    Outcome<R> outcome;
    if (!keys.joins()) {
      outcome = attempt(execution);
    } else if (closed) {
      outcome = Outcome.failed(CsiException.unavailable("the driver is shutting down", null));
    } else if (joinedAnother(operation, fingerprint, done)) {
      tellListener(listener -> listener.joined(keys.rpc()));
      return;
    } else {
      outcome = locked(keys, operation, execution, () -> close(operation, fingerprint));
    }
    for (Completion<R> waiting : operation.close()) {
      deliver(outcome, waiting);
    }
  }

  /**
   * Refuses new calls that lock or join with UNAVAILABLE from now on; those that only read go on.
   * What runs or waits is finished by its own thread and answered: this method does not wait for
   * it.
   *
   * @since 0.1.0
   */
  @Override
  public void close() {
    closed = true;
  }

  /** How many operations run, and how many keys are held or waited for: both 0 when idle. */
  int size() {
    return running.size() + locks.size();
  }

  /** Whether an identical call took {@code done}; if not, this operation is the one to join. */
  private <R> boolean joinedAnother(
      RunningOperation<R> operation, Fingerprint fingerprint, Completion<R> done) {
    while (true) {
      RunningOperation<?> other = running.putIfAbsent(fingerprint, operation);
      if (other == null) {
        return false;
      }
      @SuppressWarnings(
          "unchecked") // the fingerprint holds the RPC, and that has one response type
      RunningOperation<R> same = (RunningOperation<R>) other;
      if (same.join(done)) {
        same.takeAbandoned().forEach(gone -> deliver(Outcome.failed(gone()), gone));
        return true;
      }
      running.remove(fingerprint, other);
    }
  }

  private static CsiException gone() {
    return new CsiException(
        Status.Code.CANCELLED, "the caller has gone away; the work goes on for a later call");
  }

  private void close(RunningOperation<?> operation, Fingerprint fingerprint) {
    operation.close();
    running.remove(fingerprint, operation);
  }

  /** Work under its locks; {@code over} is run before they are given back. */
  private <R> Outcome<R> locked(
      OperationKeys keys, RunningOperation<R> operation, Supplier<R> work, Runnable over) {
    KeyedLocks.Ticket ticket = null;
    try {
      ticket = acquire(keys);
      if (operation.closeIfAbandoned()) {
        // Its caller may have had the work taken back already, by a call that was quicker.
        throw new CsiException(
            Status.Code.CANCELLED, "the caller went away before the call was begun");
      }
      return attempt(work);
    } catch (RuntimeException | Error failure) {
      return Outcome.failed(failure);
    } finally {
      over.run();
      if (ticket != null) {
        locks.release(ticket);
      }
    }
  }

  private KeyedLocks.Ticket acquire(OperationKeys keys) {
    long start = System.nanoTime();
    KeyedLocks.Ticket ticket;
    try {
      ticket = locks.acquire(keys, settings.lockWait());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CsiException.unavailable(
          keys.rpc() + " was interrupted while it waited for other calls; nothing was changed", e);
    }
    long nanos = System.nanoTime() - start;
    tellListener(listener -> listener.waited(keys.rpc(), nanos));
    if (!ticket.isGranted()) {
      tellListener(listener -> listener.aborted(keys.rpc()));
      throw CsiException.aborted(ticket.obstacle() + "; repeat the call");
    }
    return ticket;
  }

  private static <R> Outcome<R> attempt(Supplier<R> work) {
    try {
      R response = work.get();
      return response == null
          ? Outcome.failed(new IllegalStateException("the handler returned no response"))
          : new Outcome<>(response, null);
    } catch (Throwable failure) { // an Error too must reach everybody who waits
      return Outcome.failed(failure);
    }
  }

  private static <R> void deliver(Outcome<R> outcome, Completion<R> done) {
    try {
      outcome.deliver(done);
    } catch (Throwable failure) { // the others must get theirs
      log.error("an outcome could not be handed over", failure);
    }
  }

  private void tellListener(Consumer<OperationListener> event) {
    try {
      event.accept(settings.listener());
    } catch (Throwable failure) { // an Error too: locks may be held
      log.warn("a listener failed", failure);
    }
  }

  /** A response or a failure. */
  private record Outcome<R>(@Nullable R response, @Nullable Throwable failure) {
    static <R> Outcome<R> failed(Throwable failure) {
      return new Outcome<>(null, failure);
    }

    void deliver(Completion<R> done) {
      if (failure != null) {
        done.failed(failure);
      } else if (response != null) {
        done.succeeded(response);
      }
    }
  }
}
