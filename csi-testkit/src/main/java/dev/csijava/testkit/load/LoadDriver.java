package dev.csijava.testkit.load;

import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.client.DriverCapabilities;
import dev.csijava.testkit.client.DriverEndpoint;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A driver under load: its connection, what it can do, and which volumes were made on it. */
final class LoadDriver implements AutoCloseable {
  private final LoadSettings settings;
  private final CsiConnection connection;
  private final GetPluginInfoResponse info;
  private final DriverCapabilities capabilities;
  private final String nodeId;
  private final Measures measures;
  private final Places places;
  private final Set<LoadVolume> volumes = ConcurrentHashMap.newKeySet();
  private final String prefix = "csi-load-" + UUID.randomUUID().toString().substring(0, 8) + "-";
  private final AtomicLong numbers = new AtomicLong();
  private long measuredNanos;

  private LoadDriver(LoadSettings settings, CsiConnection connection) throws IOException {
    this.settings = settings;
    this.connection = connection;
    Channel channel =
        ClientInterceptors.intercept(
            settings.newConnection() ? connection.perCall() : connection.kept(),
            new Deadline(settings.callTimeout().toMillis()));
    this.info =
        IdentityGrpc.newBlockingStub(channel)
            .getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
    this.capabilities = DriverCapabilities.ask(channel, channel);
    refuseWhatItCannot();
    this.nodeId =
        capabilities.has(DriverCapabilities.NODE_SERVICE)
            ? NodeGrpc.newBlockingStub(channel)
                .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                .getNodeId()
            : "";
    this.measures = new Measures(channel);
    this.places =
        Places.in(settings.directory().orElse(Path.of(System.getProperty("java.io.tmpdir"))));
  }

  /**
   * Connects and asks who it is.
   *
   * @throws io.grpc.StatusRuntimeException if it can't be asked
   * @throws IllegalStateException with a sentence if it can't do this work
   */
  static LoadDriver open(DriverEndpoint endpoint, LoadSettings settings) throws IOException {
    CsiConnection connection = CsiConnection.to(endpoint);
    try {
      return new LoadDriver(settings, connection);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private void refuseWhatItCannot() {
    List<CsiRpc> needed =
        switch (settings.work()) {
          case PROBE -> List.of();
          case CREATE -> List.of(CsiRpc.CREATE_VOLUME);
          case PUBLISH, MIXED -> List.of(CsiRpc.CREATE_VOLUME, CsiRpc.NODE_PUBLISH_VOLUME);
          case STATS -> List.of(CsiRpc.CREATE_VOLUME, CsiRpc.NODE_GET_VOLUME_STATS);
        };
    for (CsiRpc rpc : needed) {
      if (!capabilities.serves(rpc)) {
        throw new IllegalStateException(
            info.getName() + " does not serve " + rpc.title() + ", which this load needs");
      }
    }
  }

  /** A volume that is noted for removal. */
  LoadVolume newVolume() {
    LoadVolume volume = new LoadVolume(this, prefix + numbers.incrementAndGet());
    volumes.add(volume);
    return volume;
  }

  void forget(LoadVolume volume) {
    volumes.remove(volume);
  }

  /** What is there still. */
  List<LoadVolume> volumes() {
    return List.copyOf(volumes);
  }

  LoadSettings settings() {
    return settings;
  }

  Measures measures() {
    return measures;
  }

  Places places() {
    return places;
  }

  String nodeId() {
    return nodeId;
  }

  boolean attaches() {
    return capabilities.serves(CsiRpc.CONTROLLER_PUBLISH_VOLUME);
  }

  boolean stages() {
    return capabilities.serves(CsiRpc.NODE_STAGE_VOLUME);
  }

  boolean hasStats() {
    return capabilities.serves(CsiRpc.NODE_GET_VOLUME_STATS);
  }

  void measured(long nanos) {
    measuredNanos += nanos;
  }

  long measuredNanos() {
    return measuredNanos;
  }

  DriverFigures figures() {
    return new DriverFigures(
        connection.endpoint().toString(),
        info.getName(),
        info.getVendorVersion(),
        measuredNanos,
        measures.result());
  }

  @Override
  public void close() {
    connection.close();
  }

  /** Gives every call so much time. */
  private record Deadline(long millis) implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      return next.newCall(method, options.withDeadlineAfter(millis, TimeUnit.MILLISECONDS));
    }
  }
}
