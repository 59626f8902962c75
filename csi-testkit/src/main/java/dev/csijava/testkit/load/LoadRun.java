package dev.csijava.testkit.load;

import dev.csijava.testkit.client.DriverEndpoint;
import dev.csijava.testkit.client.StatusText;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * One run of load. Two drivers are called in turn, in slices of a second at most, the order turned
 * round each time: what else the machine does falls on both alike, and they never compete.
 *
 * <p>{@link #run} may be called once; {@link #stop} by any thread. What was made is removed before
 * {@code run} ends, however it ends.
 *
 * @since 0.1.0
 */
public final class LoadRun {
  private static final long LONGEST_SLICE_NANOS = 1_000_000_000L;
  private static final long SHORTEST_SLICE_NANOS = 50_000_000L;
  private static final int SLICES = 10;
  private static final int REMOVAL_TRIES = 5;
  private static final long REMOVAL_PAUSE_MILLIS = 300;

  private final LoadSettings settings;
  private final List<DriverEndpoint> endpoints;
  private final List<Workload> loads = new CopyOnWriteArrayList<>();
  private volatile String broken = "";

  /**
   * A run that is yet to be started.
   *
   * @param endpoints one driver, or two to be compared
   * @throws IllegalArgumentException if there are more or none
   * @since 0.1.0
   */
  public LoadRun(LoadSettings settings, List<DriverEndpoint> endpoints) {
    if (endpoints.isEmpty() || endpoints.size() > 2) {
      throw new IllegalArgumentException("one driver or two, not " + endpoints.size());
    }
    this.settings = settings;
    this.endpoints = List.copyOf(endpoints);
  }

  /**
   * Lets the run end soon, after the calls that are under way.
   *
   * @since 0.1.0
   */
  public void stop(String reason) {
    broken = reason;
  }

  /**
   * The volumes that are not removed so far, for whoever can't wait for the end of {@link #run}.
   *
   * @since 0.1.0
   */
  public List<String> unremoved() {
    return loads.stream()
        .flatMap(load -> load.driver().volumes().stream())
        .map(LoadVolume::toString)
        .toList();
  }

  /**
   * Prepares, measures, removes; blocks until all is done.
   *
   * @throws StatusRuntimeException if a driver can't be asked who it is
   * @throws IllegalStateException with a sentence if a driver can't do this work
   * @throws IOException if no directory can be made for volumes
   * @since 0.1.0
   */
  public LoadResult run() throws IOException, InterruptedException {
    Instant began = Instant.now();
    List<String> leftovers = Collections.synchronizedList(new ArrayList<>());
    ExecutorService threads = Executors.newFixedThreadPool(settings.concurrency());
    try {
      try {
        for (DriverEndpoint endpoint : endpoints) {
          loads.add(new Workload(LoadDriver.open(endpoint, settings)));
        }
        prepare(threads);
        measure(threads);
      } finally {
        for (Workload load : loads) {
          load.driver().measures().measure(false);
          remove(load.driver(), threads, leftovers);
        }
      }
      List<DriverFigures> figures = loads.stream().map(load -> load.driver().figures()).toList();
      return new LoadResult(settings, began, figures, leftovers, broken);
    } finally {
      loads.forEach(load -> load.driver().close());
      threads.shutdownNow();
    }
  }

  private void prepare(ExecutorService threads) throws InterruptedException {
    int volumes = settings.work() == LoadWork.PROBE ? 0 : settings.volumes();
    for (Workload load : loads) {
      List<Integer> numbers = IntStream.range(0, volumes).boxed().toList();
      try {
        forEach(threads, numbers, number -> prepareOne(load));
      } catch (StatusRuntimeException e) {
        stop("volumes can't be prepared: " + StatusText.of(e.getStatus()));
      }
      load.prepared();
    }
  }

  private void prepareOne(Workload load) {
    if (broken.isEmpty()) {
      load.prepareOne();
    }
  }

  private void measure(ExecutorService threads) throws InterruptedException {
    if (!broken.isEmpty()) {
      return;
    }
    for (Workload load : loads) {
      if (!settings.warmUp().isZero()) {
        slice(load, threads, settings.warmUp().toNanos());
      }
    }
    long whole = settings.duration().toNanos();
    long length = Math.max(SHORTEST_SLICE_NANOS, Math.min(LONGEST_SLICE_NANOS, whole / SLICES));
    List<Workload> order = new ArrayList<>(loads);
    while (broken.isEmpty()
        && order.stream().anyMatch(load -> load.driver().measuredNanos() < whole)) {
      for (Workload load : order) {
        load.driver().measures().measure(true);
        load.driver().measured(slice(load, threads, length));
        load.driver().measures().measure(false);
      }
      Collections.reverse(order);
    }
  }

  /**
   * All threads on one driver, each once at least, until the time is over; how long it really was.
   */
  private long slice(Workload load, ExecutorService threads, long nanos)
      throws InterruptedException {
    long began = System.nanoTime();
    List<Callable<Void>> workers = new ArrayList<>();
    for (int i = 0; i < settings.concurrency(); i++) {
      workers.add(
          () -> {
            do {
              load.once();
            } while (broken.isEmpty() && System.nanoTime() - began < nanos);
            return null;
          });
    }
    await(threads.invokeAll(workers));
    return System.nanoTime() - began;
  }

  private static void remove(LoadDriver driver, ExecutorService threads, List<String> leftovers)
      throws InterruptedException {
    forEach(threads, driver.volumes(), volume -> remove(volume, leftovers));
    if (driver.volumes().isEmpty()) {
      try {
        driver.places().clear();
      } catch (UncheckedIOException e) {
        leftovers.add(String.valueOf(e.getMessage()));
      }
    }
  }

  private static void remove(LoadVolume volume, List<String> leftovers) {
    String reason = "";
    for (int attempt = 0; attempt < REMOVAL_TRIES; attempt++) {
      try {
        volume.remove();
        return;
      } catch (StatusRuntimeException e) {
        reason = StatusText.of(e.getStatus());
      } catch (UncheckedIOException e) {
        reason = String.valueOf(e.getMessage());
      }
      try {
        Thread.sleep(REMOVAL_PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    leftovers.add(volume + " could not be removed: " + reason);
  }

  private static <T> void forEach(ExecutorService threads, Collection<T> all, Consumer<T> action)
      throws InterruptedException {
    List<Callable<Void>> tasks = new ArrayList<>();
    for (T one : all) {
      tasks.add(
          () -> {
            action.accept(one);
            return null;
          });
    }
    await(threads.invokeAll(tasks));
  }

  private static void await(List<Future<Void>> tasks) throws InterruptedException {
    for (Future<Void> task : tasks) {
      try {
        task.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException failure) {
          throw failure;
        }
        throw new IllegalStateException(e.getCause());
      }
    }
  }
}
