package dev.csijava.monitoring;

import dev.csijava.core.CallContext;
import dev.csijava.core.CallListener;
import dev.csijava.core.CsiDriver;
import dev.csijava.core.operation.OperationListener;
import io.grpc.Status;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The metrics of one driver in this process, for Prometheus. Give it to the server as its listener,
 * and to the server's operations as theirs:
 *
 * <pre>{@code
 * DriverMetrics metrics = DriverMetrics.of(driver);
 * CsiServer server =
 *     CsiServer.forDriver(driver)
 *         .listener(metrics)
 *         .operations(OperationSettings.defaults().withListener(metrics))
 *         .start();
 * }</pre>
 *
 * <ul>
 *   <li>{@code csi_plugin_operations_seconds}: histogram of all calls by {@code driver_name},
 *       {@code method_name} (the full gRPC method) and {@code grpc_status_code}, with the names and
 *       buckets that CSI sidecars and Go drivers use
 *   <li>{@code csi_plugin_operations_in_flight}: calls that have come and are not answered
 *   <li>{@code csi_plugin_operations_joined_total}: calls that joined an identical one
 *   <li>{@code csi_plugin_operations_aborted_total}: calls that gave up waiting for another one
 *   <li>{@code csi_plugin_operations_wait_seconds}: how long calls waited for others of the same
 *       volume, snapshot, name or path
 *   <li>{@code jvm_memory_*}, {@code jvm_buffer_pool_*}, {@code jvm_gc_*} and {@code process_*}
 * </ul>
 *
 * <p>Labels hold the driver's name, RPCs and codes only: nothing that a caller sent. Safe for use
 * by several threads; recording never blocks.
 *
 * @since 0.1.0
 */
public final class DriverMetrics implements CallListener, OperationListener {
  private static final double[] CALL_BUCKETS = {
    .1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600
  };
  private static final double[] WAIT_BUCKETS = {.001, .005, .01, .05, .1, .25, .5, 1, 2.5};
  private static final String DRIVER = "driver_name";
  private static final String METHOD = "method_name";
  private static final String CODE = "grpc_status_code";

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final String driver;
  private final Histogram calls;
  private final Gauge inFlight;
  private final Counter joined;
  private final Counter aborted;
  private final Histogram waits;

  private DriverMetrics(String driver) {
    this.driver = driver;
    calls =
        histogram("csi_plugin_operations_seconds", "Duration of CSI calls", CALL_BUCKETS)
            .labelNames(DRIVER, METHOD, CODE)
            .register(registry);
    inFlight =
        Gauge.builder()
            .name("csi_plugin_operations_in_flight")
            .help("CSI calls that have come and are not answered")
            .labelNames(DRIVER, METHOD)
            .register(registry);
    joined =
        Counter.builder()
            .name("csi_plugin_operations_joined")
            .help("CSI calls that joined an identical one under way")
            .labelNames(DRIVER, METHOD)
            .withoutExemplars()
            .register(registry);
    aborted =
        Counter.builder()
            .name("csi_plugin_operations_aborted")
            .help("CSI calls given up since what they need was busy")
            .labelNames(DRIVER, METHOD)
            .withoutExemplars()
            .register(registry);
    waits =
        histogram("csi_plugin_operations_wait_seconds", "Waits for other CSI calls", WAIT_BUCKETS)
            .labelNames(DRIVER, METHOD)
            .register(registry);
    JvmMemoryMetrics.builder().register(registry);
    JvmBufferPoolMetrics.builder().register(registry);
    JvmGarbageCollectorMetrics.builder().register(registry);
    ProcessMetrics.builder().register(registry);
  }

  /**
   * Metrics of a driver, all at zero. Each has a registry of its own.
   *
   * @since 0.1.0
   */
  public static DriverMetrics of(CsiDriver driver) {
    return new DriverMetrics(driver.name());
  }

  /**
   * The registry that {@code /metrics} prints; a driver may add collectors of its own.
   *
   * @since 0.1.0
   */
  public PrometheusRegistry registry() {
    return registry;
  }

  @Override
  public void started(CallContext call) {
    inFlight.labelValues(driver, GrpcNames.method(call.rpc())).inc();
  }

  @Override
  public void finished(CallContext call, Status.Code code, Duration elapsed) {
    String method = GrpcNames.method(call.rpc());
    inFlight.labelValues(driver, method).dec();
    calls
        .labelValues(driver, method, GrpcNames.code(code))
        .observe(elapsed.toNanos() / (double) TimeUnit.SECONDS.toNanos(1));
  }

  @Override
  public void joined(String rpc) {
    joined.labelValues(driver, GrpcNames.method(rpc)).inc();
  }

  @Override
  public void aborted(String rpc) {
    aborted.labelValues(driver, GrpcNames.method(rpc)).inc();
  }

  @Override
  public void waited(String rpc, long nanos) {
    waits
        .labelValues(driver, GrpcNames.method(rpc))
        .observe(nanos / (double) TimeUnit.SECONDS.toNanos(1));
  }

  private static Histogram.Builder histogram(String name, String help, double[] buckets) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .classicOnly()
        .classicUpperBounds(buckets)
        .withoutExemplars();
  }
}
