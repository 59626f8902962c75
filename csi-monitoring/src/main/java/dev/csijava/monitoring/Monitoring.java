package dev.csijava.monitoring;

import com.sun.net.httpserver.HttpServer;
import dev.csijava.core.CsiServer;
import dev.csijava.core.kubelet.PluginRegistration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Health pages and metrics of a served driver, over HTTP on a port of their own. Nothing listens
 * unless this is started, so no livenessprobe container is needed and none is forced on anybody.
 *
 * <pre>{@code
 * try (CsiServer server = CsiServer.forDriver(driver).listener(metrics).start();
 *     Monitoring pages = Monitoring.forServer(server).metrics(metrics).port(9898).start()) {
 *   server.awaitClosed();
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@code /healthz}, for a liveness probe: connects to the driver's own socket and calls
 *       Probe. 200 if it answers, ready or not; 503 with the reason if it fails or takes more than
 *       3 seconds. A driver that is not ready is not helped by a restart, so that is no failure
 *       here
 *   <li>{@code /readyz}, for a readiness probe: 200 if Probe says ready and all conditions hold,
 *       kubelet's registration among them if it was given; else 503 with the reasons
 *   <li>{@code /metrics}, if metrics were given: Prometheus' text format, or OpenMetrics where
 *       asked for
 * </ul>
 *
 * <p>A request that takes more than 3 seconds to arrive, or 10 to be answered, is cut off. The
 * JDK's server has one such limit for the whole process: the system properties {@code
 * sun.net.httpserver.maxReqTime} and {@code maxRspTime}, which are set when this class is first
 * used unless they are set already.
 *
 * <p>The server must let this process's user connect ({@link CsiServer.Builder#allowPeer}). Pages
 * show nothing that a caller sent. Safe for use by several threads; owns two daemon threads, up to
 * 32 more while pages are asked for, and its port until it is closed.
 *
 * @since 0.1.0
 */
public final class Monitoring implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Monitoring.class);
  private static final int MOST_THREADS = 32;
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final int BACKLOG = 64;

  static {
    // The JDK's server reads a request on one of the threads, by default for ever: callers that
    // never finish theirs would hold up kubelet's probe, and with it the driver. It asks for these
    // once a process, when it is first used.
    limit("sun.net.httpserver.maxReqTime", "3");
    limit("sun.net.httpserver.maxRspTime", "10");
  }

  private final HttpServer http;
  private final ExecutorService threads;
  private final DriverProbe probe;

  private static void limit(String property, String seconds) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, seconds);
    }
  }

  private Monitoring(HttpServer http, ExecutorService threads, DriverProbe probe) {
    this.http = http;
    this.threads = threads;
    this.probe = probe;
  }

  /**
   * Starts to configure the pages of a server.
   *
   * @since 0.1.0
   */
  public static Builder forServer(CsiServer server) {
    return new Builder(server);
  }

  /**
   * Where the pages are served, with the port that was chosen.
   *
   * @since 0.1.0
   */
  public InetSocketAddress address() {
    return http.getAddress();
  }

  /**
   * Stops to listen and ends the threads; requests under way are cut off. Harmless when repeated.
   *
   * @since 0.1.0
   */
  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
    probe.close();
  }

  /**
   * What is served where. Not safe for use by several threads.
   *
   * @since 0.1.0
   */
  public static final class Builder {
    private static final Duration PROBE_AT_MOST = Duration.ofSeconds(3);

    private final CsiServer server;
    private final Map<String, Supplier<Optional<String>>> conditions = new LinkedHashMap<>();
    private @Nullable InetSocketAddress address;
    private @Nullable DriverMetrics metrics;
    private Duration probeAtMost = PROBE_AT_MOST;

    private Builder(CsiServer server) {
      this.server = server;
    }

    /**
     * Listens on this TCP port of all addresses, as kubelet's HTTP probes need it.
     *
     * @param port 0 takes any that is free
     * @throws IllegalArgumentException if it is no port
     * @since 0.1.0
     */
    public Builder port(int port) {
      return address(new InetSocketAddress(port));
    }

    /**
     * Listens on one address only.
     *
     * @since 0.1.0
     */
    public Builder address(InetSocketAddress where) {
      address = where;
      return this;
    }

    /**
     * Serves these at {@code /metrics}.
     *
     * @since 0.1.0
     */
    public Builder metrics(DriverMetrics ofDriver) {
      metrics = ofDriver;
      return this;
    }

    /**
     * Makes {@code /readyz} wait for kubelet's registration.
     *
     * @since 0.1.0
     */
    public Builder registration(PluginRegistration registration) {
      return condition(
          "registration",
          () -> {
            PluginRegistration.State state = registration.state();
            return state == PluginRegistration.State.REGISTERED
                ? Optional.empty()
                : Optional.of(state + registration.problem().map(p -> ": " + p).orElse(""));
          });
    }

    /**
     * One more condition of {@code /readyz}.
     *
     * @param name for people
     * @param problem empty if the condition holds, else what is wrong; asked on the pages' threads,
     *     must not block, and must name no secret
     * @since 0.1.0
     */
    public Builder condition(String name, Supplier<Optional<String>> problem) {
      conditions.put(name, problem);
      return this;
    }

    Builder probeAtMost(Duration limit) {
      probeAtMost = limit;
      return this;
    }

    /**
     * Binds the port and serves. The caller closes it, before or after the server.
     *
     * @throws IllegalStateException if neither a port nor an address was given
     * @throws IOException if the port can't be bound
     * @since 0.1.0
     */
    public Monitoring start() throws IOException {
      if (address == null) {
        throw new IllegalStateException("the pages need a port: call port or address");
      }
      HttpServer http = HttpServer.create(address, BACKLOG);
      AtomicInteger numbers = new AtomicInteger();
      // Who finds all of them busy is cut off.
      ExecutorService threads =
          new ThreadPoolExecutor(
              0,
              MOST_THREADS,
              IDLE.toSeconds(),
              TimeUnit.SECONDS,
              new SynchronousQueue<>(),
              task -> {
                Thread thread = new Thread(task, "csi-monitoring-" + numbers.incrementAndGet());
                thread.setDaemon(true);
                return thread;
              });
      DriverProbe probe = new DriverProbe(server.endpoint(), probeAtMost);
      http.setExecutor(threads);
      http.createContext("/", new Page("/", Page.Answer::unknown));
      http.createContext("/healthz", new Page("/healthz", headers -> HealthPages.health(probe)));
      http.createContext(
          "/readyz", new Page("/readyz", headers -> HealthPages.readiness(probe, conditions)));
      if (metrics != null) {
        http.createContext("/metrics", new Page("/metrics", new MetricsPage(metrics.registry())));
      }
      http.start();
      LOG.info("health and metrics at http://{}", http.getAddress());
      return new Monitoring(http, threads, probe);
    }
  }
}
