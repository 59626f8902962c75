package dev.csijava.hostpath;

import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.kubelet.PluginRegistration;
import dev.csijava.core.operation.OperationSettings;
import dev.csijava.hostpath.options.PodOptions;
import dev.csijava.hostpath.options.ServerOptions;
import dev.csijava.monitoring.DriverMetrics;
import dev.csijava.monitoring.Monitoring;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A driver that is served, with what else was asked for around it: registration with kubelet, and
 * pages over HTTP. Closing ends the registration first, so that kubelet asks for nothing while the
 * server drains.
 */
final class Serving implements AutoCloseable {
  private final Deque<Runnable> closers = new ArrayDeque<>();
  private final CsiServer server;
  private @Nullable InetSocketAddress pages;

  private Serving(CsiServer server) {
    this.server = server;
    closers.push(server::close);
  }

  /**
   * @throws IOException if a socket can't be bound; nothing is left then
   * @throws IllegalArgumentException with a sentence for the operator
   */
  static Serving start(
      CsiDriver driver, CsiEndpoint endpoint, ServerOptions options, PodOptions pod)
      throws IOException {
    Optional<InetSocketAddress> address = pod.httpEndpoint();
    CsiServer.Builder builder =
        CsiServer.forDriver(driver).endpoint(endpoint).socketMode(options.socketMode());
    options.socketGroup().ifPresent(builder::socketGroup);
    DriverMetrics metrics = null;
    if (address.isPresent()) {
      metrics = DriverMetrics.of(driver);
      builder.listener(metrics);
      builder.operations(OperationSettings.defaults().withListener(metrics));
    }
    Serving serving = new Serving(builder.start());
    try {
      PluginRegistration registration = serving.register(driver.name(), pod);
      if (address.isPresent() && metrics != null) {
        serving.show(address.get(), metrics, registration);
      }
      return serving;
    } catch (IOException | RuntimeException e) {
      serving.close();
      throw e;
    }
  }

  private @Nullable PluginRegistration register(String driverName, PodOptions pod)
      throws IOException {
    Optional<Path> endpointOnHost = pod.registrationPath();
    if (endpointOnHost.isEmpty()) {
      return null;
    }
    PluginRegistration registration =
        PluginRegistration.of(driverName, endpointOnHost.get(), pod.registrationDirectory())
            .start();
    closers.push(registration::close);
    return registration;
  }

  private void show(
      InetSocketAddress address, DriverMetrics metrics, @Nullable PluginRegistration registration)
      throws IOException {
    Monitoring.Builder builder = Monitoring.forServer(server).address(address).metrics(metrics);
    if (registration != null) {
      builder.registration(registration);
    }
    Monitoring monitoring = builder.start();
    pages = monitoring.address();
    // Last to go: while the server drains, a liveness probe still gets its answer.
    closers.addLast(monitoring::close);
  }

  /** Where the pages are, with the port that was chosen. */
  Optional<InetSocketAddress> pages() {
    return Optional.ofNullable(pages);
  }

  void awaitClosed() throws InterruptedException {
    server.awaitClosed();
  }

  /** Ends all of it; a second call waits for the first. */
  @Override
  public synchronized void close() {
    while (!closers.isEmpty()) {
      closers.pop().run();
    }
  }
}
