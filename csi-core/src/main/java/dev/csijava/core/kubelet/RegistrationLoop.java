package dev.csijava.core.kubelet;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.csijava.core.kubelet.PluginRegistration.State;
import dev.csijava.spec.registration.PluginInfo;
import dev.csijava.spec.registration.RegistrationStatus;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the socket where kubelet looks for it, and makes it anew when kubelet says no or somebody
 * removed it. Everything but start, stop and the two volatile fields belongs to one thread.
 */
final class RegistrationLoop {
  /** How often the socket is looked at, and how long it waits after failures: doubled each time. */
  record Pace(Duration watch, Duration firstRetry, Duration longestRetry) {
    static final Pace DEFAULT =
        new Pace(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(30));

    Duration retry(int failures) {
      Duration pause = firstRetry;
      for (int i = 1; i < failures && pause.compareTo(longestRetry) < 0; i++) {
        pause = pause.multipliedBy(2);
      }
      return pause.compareTo(longestRetry) < 0 ? pause : longestRetry;
    }
  }

  private static final Logger log = LoggerFactory.getLogger(PluginRegistration.class);
  private static final long START_MILLIS = 30_000;
  private static final long STOP_MILLIS = 5_000;

  private final RegistrationSocket socket;
  private final RegistrationService service;
  private final Pace pace;
  private final ScheduledThreadPoolExecutor thread;
  private final EventLoopGroup eventLoop;

  private volatile State state = State.WAITING;
  private volatile @Nullable String problem;

  private @Nullable RegistrationServer server;
  private @Nullable Future<?> next;
  private int failures;

  RegistrationLoop(PluginInfo info, RegistrationSocket socket, Pace pace) {
    this.socket = socket;
    this.pace = pace;
    this.service = new RegistrationService(info, this::hear);
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, task -> daemon(task, "csi-registration"), new DiscardPolicy());
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    ThreadFactory ioThreads = task -> daemon(task, "csi-registration-io");
    this.eventLoop = new MultiThreadIoEventLoopGroup(1, ioThreads, NioIoHandler.newFactory());
  }

  State state() {
    return state;
  }

  @Nullable String problem() {
    return problem;
  }

  /** Serves, or waits for a living server to go; whatever else is in the way is an exception. */
  void start() throws IOException {
    boolean started = false;
    try {
      onThread(this::firstLook, START_MILLIS);
      started = true;
    } finally {
      if (!started) {
        stop();
      }
    }
  }

  /** Takes the registration back and ends all threads, also for a caller that is interrupted. */
  void stop() {
    try {
      onThread(this::deregister, STOP_MILLIS);
    } catch (IOException e) {
      log.warn("{} may have been left behind: {}", socket.file(), e.getMessage());
    }
    thread.shutdownNow();
    eventLoop
        .shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(STOP_MILLIS);
    if (!Uninterruptibles.awaitTerminationUninterruptibly(
        thread, STOP_MILLIS, TimeUnit.MILLISECONDS)) {
      log.warn("The registration's thread has not ended; it hangs in a call to the file system");
    }
    state = State.STOPPED;
  }

  private @Nullable Void firstLook() throws IOException {
    try {
      serve();
      plan(pace.watch());
    } catch (RegistrationSocket.InUseException e) {
      failed(e);
    }
    return null;
  }

  private void look() {
    try {
      serve();
      plan(pace.watch());
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  private void serve() throws IOException {
    RegistrationServer old = server;
    if (old != null) {
      boolean inPlace = old.isInPlace();
      if (inPlace && state != State.REFUSED) {
        return;
      }
      if (!inPlace) {
        log.warn("{} was removed or replaced by somebody; making it anew", socket.file());
      }
      server = null;
      state = State.WAITING;
      old.close();
    }
    server = RegistrationServer.open(socket, service, eventLoop);
    problem = null;
    log.info("Registration is offered to kubelet on {}", socket.file());
  }

  private void failed(Exception e) {
    String what = String.valueOf(e.getMessage());
    failures++;
    Duration pause = pace.retry(failures);
    if (!what.equals(problem)) {
      log.warn("Registration can't be offered: {}; next try in {}", what, pause);
    }
    problem = what;
    plan(pause);
  }

  /** On the event loop. */
  private void hear(RegistrationStatus status) {
    thread.execute(() -> told(status));
  }

  private void told(RegistrationStatus status) {
    if (server == null) {
      return;
    }
    if (status.getPluginRegistered()) {
      log.info("kubelet has registered the driver");
      state = State.REGISTERED;
      problem = null;
      failures = 0;
      return;
    }
    problem = status.getError();
    if (state != State.REFUSED) {
      state = State.REFUSED;
      failures++;
      Duration pause = pace.retry(failures);
      log.warn(
          "kubelet does not register the driver: {}; next try in {}", status.getError(), pause);
      plan(pause);
    }
  }

  private @Nullable Void deregister() throws IOException {
    plan(null);
    RegistrationServer old = server;
    server = null;
    if (old != null) {
      old.close();
    }
    return null;
  }

  private void plan(@Nullable Duration pause) {
    if (next != null) {
      next.cancel(false);
    }
    next =
        pause == null ? null : thread.schedule(this::look, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void onThread(Callable<@Nullable Void> task, long millis) throws IOException {
    try {
      Uninterruptibles.getUninterruptibly(thread.submit(task), millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException("unexpected: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + millis + " ms", e);
    }
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
