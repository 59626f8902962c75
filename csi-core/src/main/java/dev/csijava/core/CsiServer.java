package dev.csijava.core;

import dev.csijava.core.operation.OperationSettings;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A driver that listens. Owns its threads, its event loop and its socket file, and gives all of
 * them back when it is closed.
 *
 * <p>Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class CsiServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CsiServer.class);

  private final CsiDriver driver;
  private final CsiEndpoint endpoint;
  private final Server server;
  private final Transport transport;
  private final Pipeline pipeline;
  private final Duration drain;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Runnable whenClosed = () -> {};

  private CsiServer(Builder builder, Transport transport, Pipeline pipeline, Server server) {
    this.driver = builder.driver;
    this.endpoint = transport.endpoint();
    this.server = server;
    this.transport = transport;
    this.pipeline = pipeline;
    this.drain = builder.drain;
  }

  /**
   * Serves a driver on the endpoint that CSI_ENDPOINT names, until the process is told to stop:
   * SIGTERM and SIGINT let calls under way finish, for 20 seconds at most. Blocks until then.
   *
   * @throws IOException with a sentence, if the endpoint can't be bound
   * @throws IllegalArgumentException if CSI_ENDPOINT is missing or wrong
   * @throws InterruptedException if the calling thread is interrupted; the server is closed then
   * @since 0.1.0
   */
  public static void serve(CsiDriver driver) throws IOException, InterruptedException {
    try (CsiServer server = forDriver(driver).closeOnExit().start()) {
      server.awaitClosed();
    }
  }

  /**
   * Begins to load what serving needs, on a thread of its own, and returns at once. A program that
   * calls this before it reads its flags and its state serves a little sooner; none has to.
   *
   * @since 0.1.0
   */
  public static void prepare() {
    Preparation.begin();
  }

  /**
   * Starts to configure a server.
   *
   * @since 0.1.0
   */
  public static Builder forDriver(CsiDriver driver) {
    return new Builder(driver);
  }

  /**
   * Where the server listens; for TCP with the port that it got.
   *
   * @since 0.1.0
   */
  public CsiEndpoint endpoint() {
    return endpoint;
  }

  /**
   * Blocks until the server is closed.
   *
   * @throws InterruptedException if the calling thread is interrupted
   * @since 0.1.0
   */
  public void awaitClosed() throws InterruptedException {
    closed.await();
  }

  /**
   * Stops: takes no new connections or calls, removes the socket file if it is still its own, lets
   * calls under way finish as long as the drain time allows, work whose caller has gone away
   * included, and interrupts the handlers that still run. Blocks until that is done, but waits for
   * no handler that was interrupted; a second call waits for the first.
   */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      awaitQuietly();
      return;
    }
    long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(drain);
    try {
      LOG.info("{} stops; calls under way have {} to finish", driver.name(), drain);
      server.shutdown();
      boolean drained = server.awaitTermination(left(deadline), TimeUnit.NANOSECONDS);
      drained &= pipeline.drain(Duration.ofNanos(left(deadline)));
      if (!drained) {
        LOG.warn("calls are still under way after {}; they are cut off", drain);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.shutdownNow();
      pipeline.close();
      transport.close();
      closed.countDown();
      whenClosed.run();
    }
  }

  /** Of one who must hear of it: runs at the end of {@link #close}. */
  void whenClosed(Runnable action) {
    whenClosed = action;
  }

  private static long left(long deadline) {
    return Math.max(0, deadline - System.nanoTime());
  }

  private void awaitQuietly() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * How a driver is served. Setters check their argument at once. Not safe for use by several
   * threads.
   *
   * @since 0.1.0
   */
  public static final class Builder {
    private static final int THREADS = 32;
    private static final int WAITING = 512;

    private final CsiDriver driver;
    private final List<ServerInterceptor> interceptors = new ArrayList<>();
    private final List<ServerServiceDefinition> services = new ArrayList<>();
    private final List<CallListener> listeners = new ArrayList<>();
    private final Set<UserPrincipal> peers = new HashSet<>();
    private @Nullable CsiEndpoint endpoint;
    private SocketAccess access = SocketAccess.ownerOnly();
    private Runnable beforeServing = () -> {};
    private Duration drain = Duration.ofSeconds(20);
    private int threads = THREADS;
    private boolean closesOnExit;
    private OperationSettings operations = OperationSettings.defaults();

    Builder(CsiDriver driver) {
      this.driver = driver;
    }

    /**
     * Where to listen; what CSI_ENDPOINT names if this is not called.
     *
     * @since 0.1.0
     */
    public Builder endpoint(CsiEndpoint where) {
      endpoint = where;
      return this;
    }

    /**
     * The mode of the socket file; read and write for the owner by default. Connecting needs write
     * permission. The socket is never open wider than this, not even while it is made.
     *
     * @since 0.1.0
     */
    public Builder socketMode(Set<PosixFilePermission> mode) {
      access = new SocketAccess(Set.copyOf(mode), access.owner(), access.group());
      return this;
    }

    /**
     * The owner of the socket file, a user name or number.
     *
     * @since 0.1.0
     */
    public Builder socketOwner(String user) {
      access = new SocketAccess(access.mode(), user, access.group());
      return this;
    }

    /**
     * The group of the socket file, a group name or number.
     *
     * @since 0.1.0
     */
    public Builder socketGroup(String group) {
      access = new SocketAccess(access.mode(), access.owner(), group);
      return this;
    }

    /**
     * Lets only this user connect, and those named by further calls; everyone whom the socket's
     * mode lets in if it is never called. Needs a Unix socket: with TCP the server does not start.
     *
     * @param user a user name or number
     * @throws IllegalArgumentException if there is no such user
     * @since 0.1.0
     */
    public Builder allowPeer(String user) {
      try {
        peers.add(
            FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(user));
      } catch (IOException e) {
        throw new IllegalArgumentException("there is no user '" + user + "' on this system", e);
      }
      return this;
    }

    /**
     * Adds a gRPC interceptor around all services; those added first see a call first. Runs on the
     * event loop and must not block.
     *
     * @since 0.1.0
     */
    public Builder interceptor(ServerInterceptor interceptor) {
      interceptors.add(interceptor);
      return this;
    }

    /**
     * Serves a further gRPC service at the same endpoint. Its methods run on the event loop and
     * must not block.
     *
     * @since 0.1.0
     */
    public Builder service(BindableService service) {
      services.add(service.bindService());
      return this;
    }

    /**
     * Tells a listener of every call.
     *
     * @since 0.1.0
     */
    public Builder listener(CallListener listener) {
      listeners.add(listener);
      return this;
    }

    /**
     * How long calls wait for others that use the same volume, and who hears of it.
     *
     * @since 0.1.0
     */
    public Builder operations(OperationSettings settings) {
      operations = settings;
      return this;
    }

    /**
     * Runs before the socket exists; if it throws, the server does not start.
     *
     * @since 0.1.0
     */
    public Builder beforeServing(Runnable hook) {
      beforeServing = hook;
      return this;
    }

    /**
     * How long calls under way may take when the server is closed; 20 seconds by default, less than
     * the 30 that Kubernetes waits before it kills.
     *
     * @since 0.1.0
     */
    public Builder drain(Duration atMost) {
      if (atMost.isNegative()) {
        throw new IllegalArgumentException("the drain time is negative: " + atMost);
      }
      drain = atMost;
      return this;
    }

    /**
     * How many calls are handled at once, each on a thread of its own; 32 by default, of which
     * calls of one volume get a quarter. Some hundred more wait, and the rest are UNAVAILABLE.
     * Calls that make volumes and snapshots, which may copy for hours, have as many threads again;
     * so have NodeGetVolumeStats and the health calls, which may hang, with one call of a volume at
     * a time. Probe has its own.
     *
     * @since 0.1.0
     */
    public Builder threads(int atMost) {
      if (atMost < 1) {
        throw new IllegalArgumentException("at least one thread is needed, not " + atMost);
      }
      threads = atMost;
      return this;
    }

    /**
     * Closes the server when the Java process ends, as it does on SIGTERM and SIGINT; also when it
     * ends while the server starts.
     *
     * @since 0.1.0
     */
    public Builder closeOnExit() {
      closesOnExit = true;
      return this;
    }

    /**
     * Binds the endpoint and serves. The caller closes the server.
     *
     * @throws IOException with a sentence, if the endpoint can't be bound: another process serves
     *     it, or a file that is no socket lies there
     * @throws IllegalArgumentException if no endpoint was given and CSI_ENDPOINT is missing or
     *     wrong, or if peers are to be told apart by TCP
     * @throws IllegalStateException if it is to be closed when the process ends, which it does
     *     already
     * @since 0.1.0
     */
    public CsiServer start() throws IOException {
      CsiEndpoint where = endpoint == null ? CsiEndpoint.fromEnvironment() : endpoint;
      if (closesOnExit) {
        return ExitHook.start(beforeServing, () -> serve(where));
      }
      beforeServing.run();
      return serve(where);
    }

    private CsiServer serve(CsiEndpoint where) throws IOException {
      Transport transport = Transport.bind(where, access, peers);
      Pipeline pipeline = new Pipeline(driver, listeners, operations, threads, WAITING);
      try {
        List<ServerServiceDefinition> all = new ArrayList<>(pipeline.services());
        all.addAll(services);
        Server server = transport.start(all, interceptors);
        LOG.info("{} {} serves {}", driver.name(), driver.version(), transport.endpoint());
        return new CsiServer(this, transport, pipeline, server);
      } catch (IOException | RuntimeException e) {
        pipeline.close();
        transport.close();
        throw e;
      }
    }
  }
}
