package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.testkit.requirement.RequirementInventory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Runs cases against a driver: first those that may stand beside each other, in parallel, then the
 * others one by one. {@link #stop} may be called from any thread, for example from a shutdown hook.
 *
 * @since 0.1.0
 */
public final class ConformanceRun {
  private static final Duration LAST_CALLS = Duration.ofSeconds(15);
  private static final int REMOVAL_SECONDS = 60;

  private final Session session;
  private final RunListener listener;
  private final List<Case> all;
  private final List<CaseResult> results = new ArrayList<>();
  private final List<String> leftovers = new ArrayList<>();
  private final ExecutorService workers;
  private volatile String broken = "";

  /**
   * A run of these cases, as far as the settings select them.
   *
   * @param session the driver; not closed here
   * @since 0.1.0
   */
  public ConformanceRun(Session session, List<Case> cases, RunListener listener) {
    this.session = session;
    this.listener = listener;
    this.all = List.copyOf(cases);
    this.workers =
        Executors.newFixedThreadPool(
            session.settings().parallelism(),
            work -> {
              Thread thread = new Thread(work, "csi-case");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Runs to the end, or until it is stopped; removes what it made.
   *
   * @throws io.grpc.StatusRuntimeException if the driver does not tell its name
   * @since 0.1.0
   */
  public RunReport run() {
    Instant began = Instant.now();
    long start = System.nanoTime();
    GetPluginInfoResponse driver = session.pluginInfo(GetPluginInfoRequest.getDefaultInstance());
    List<Case> chosen = chosen(session.settings(), all);
    listener.started(session, chosen.size());
    List<Future<?>> running = new ArrayList<>();
    try {
      for (Case tested : chosen) {
        if (!tested.alone()) {
          running.add(workers.submit(() -> one(tested)));
        }
      }
      for (Future<?> future : running) {
        future.get();
      }
      for (Case tested : chosen) {
        if (tested.alone() && broken.isEmpty()) {
          workers.submit(() -> one(tested)).get();
        }
      }
    } catch (InterruptedException | RejectedExecutionException | CancellationException e) {
      broken = broken.isEmpty() ? "interrupted" : broken;
    } catch (ExecutionException e) {
      broken = "the kit itself failed: " + e.getCause();
    } finally {
      end();
    }
    return report(driver, chosen, began, Duration.ofNanos(System.nanoTime() - start));
  }

  private void one(Case tested) {
    if (!broken.isEmpty()) {
      return;
    }
    CaseResult result = session.run(tested);
    synchronized (this) {
      leftovers.addAll(result.leftovers());
      if (broken.isEmpty()) {
        results.add(result);
        listener.finished(result);
      }
    }
  }

  /**
   * Ends the run early: no further case begins, and none makes another call. The calls that are
   * under way are waited for, since only their answers tell what they made, but not for long; then
   * the cases are interrupted, and what they made is removed before {@link #run} returns. A case
   * that is broken off gets no verdict. Returns at once; a second time does nothing more.
   *
   * @since 0.1.0
   */
  public void stop(String reason) {
    synchronized (this) {
      if (broken.isEmpty()) {
        broken = reason;
      }
    }
    session.refuseCalls();
    Thread thread = new Thread(this::breakOff, "csi-stop");
    thread.setDaemon(true);
    thread.start();
  }

  private void breakOff() {
    try {
      session.awaitCalls(LAST_CALLS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Runnable waiting : workers.shutdownNow()) {
      // Nobody else ends what was never begun, and run() waits for it.
      if (waiting instanceof Future<?> never) {
        never.cancel(false);
      }
    }
  }

  /**
   * What cases have made, or may have made, and what is not removed so far: for whoever can't wait
   * for the end of {@link #run}.
   *
   * @since 0.1.0
   */
  public List<String> unremoved() {
    return session.held();
  }

  private void end() {
    boolean interrupted = Thread.interrupted();
    if (broken.isEmpty()) {
      workers.shutdown();
    } else {
      session.refuseCalls();
      breakOff();
    }
    try {
      if (!workers.awaitTermination(REMOVAL_SECONDS, TimeUnit.SECONDS)) {
        broken = "a case did not end";
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    List<String> left = session.removeAll();
    synchronized (this) {
      leftovers.addAll(left);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized RunReport report(
      GetPluginInfoResponse driver, List<Case> chosen, Instant began, Duration duration) {
    List<CaseResult> ordered = new ArrayList<>(results);
    ordered.sort(Comparator.comparingInt(result -> chosen.indexOf(result.tested())));
    return report(session, all, ordered, driver, began, duration, leftovers, broken);
  }

  /**
   * The cases among these that the settings let run.
   *
   * @since 0.1.0
   */
  public static List<Case> chosen(Settings settings, List<Case> cases) {
    return cases.stream().filter(settings::choose).toList();
  }

  /**
   * Puts results together that somebody else let the session find.
   *
   * @param session the driver
   * @param all the cases that could have run
   * @param results what those that ran have found
   * @throws io.grpc.StatusRuntimeException if the driver does not tell its name
   * @since 0.1.0
   */
  public static RunReport report(Session session, List<Case> all, List<CaseResult> results) {
    Duration sum = results.stream().map(CaseResult::duration).reduce(Duration.ZERO, Duration::plus);
    List<String> left = results.stream().flatMap(result -> result.leftovers().stream()).toList();
    GetPluginInfoResponse driver = session.pluginInfo(GetPluginInfoRequest.getDefaultInstance());
    return report(session, all, results, driver, Instant.now().minus(sum), sum, left, "");
  }

  private static RunReport report(
      Session session,
      List<Case> all,
      List<CaseResult> results,
      GetPluginInfoResponse driver,
      Instant began,
      Duration duration,
      List<String> leftovers,
      String broken) {
    RowSummary summary = new RowSummary(session.capabilities(), all);
    results.forEach(result -> summary.add(result.rows()));
    if (session.settings().only().isEmpty()) {
      summary.add(session.answers());
    }
    return new RunReport(
        driver,
        session.settings().endpoint().toString(),
        session.capabilities().words(),
        began,
        duration,
        summary.rows(RequirementInventory.shipped()),
        summary.rows(RequirementInventory.engines()),
        List.copyOf(results),
        List.copyOf(leftovers),
        broken);
  }
}
