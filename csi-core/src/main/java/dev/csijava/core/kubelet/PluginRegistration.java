package dev.csijava.core.kubelet;

import dev.csijava.spec.registration.PluginInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Registers a node driver with kubelet from inside the driver's process, so that no
 * node-driver-registrar container is needed.
 *
 * <p>Kubelet watches a directory, by default {@code /var/lib/kubelet/plugins_registry}. For each
 * socket that appears there it asks who it is, calls the driver's NodeGetInfo at the endpoint it
 * was told, writes the CSINode object and reports back. A socket that disappears takes the
 * registration back.
 *
 * <pre>{@code
 * try (var registration =
 *     PluginRegistration.of(
 *             "memo.example.com",
 *             Path.of("/var/lib/kubelet/plugins/memo/csi.sock"),
 *             Path.of("/registration"))
 *         .start()) {
 *   server.awaitClosed();
 * }
 * }</pre>
 *
 * <p>Start it when the driver serves and is ready for NodeGetInfo; close it before the driver stops
 * to serve. The socket {@code <driver>-reg.sock} has mode 0600 and never had a wider one. A dead
 * socket of that name is replaced. While another process answers there, or while kubelet says no
 * (during a rolling update it still knows the same driver's older instance), the socket is made
 * anew after a pause of one second, doubled up to half a minute. If somebody removes it, it is made
 * anew within five seconds.
 *
 * <p>Safe for use by several threads. It owns two daemon threads from {@link #start} to {@link
 * #close}. What happens is logged under this class's name.
 *
 * @since 0.1.0
 */
public final class PluginRegistration implements AutoCloseable {
  /**
   * What kubelet has answered so far.
   *
   * @since 0.1.0
   */
  public enum State {
    /**
     * Not started, or closed.
     *
     * @since 0.1.0
     */
    STOPPED,
    /**
     * Kubelet has not answered yet, or the socket can't be offered at present.
     *
     * @since 0.1.0
     */
    WAITING,
    /**
     * Kubelet has registered the driver.
     *
     * @since 0.1.0
     */
    REGISTERED,
    /**
     * Kubelet said no; the socket will be offered again.
     *
     * @since 0.1.0
     */
    REFUSED
  }

  private final PluginInfo info;
  private final RegistrationSocket socket;
  private final RegistrationLoop.Pace pace;
  private volatile @Nullable RegistrationLoop loop;

  private PluginRegistration(
      PluginInfo info, RegistrationSocket socket, RegistrationLoop.Pace pace) {
    this.info = info;
    this.socket = socket;
    this.pace = pace;
  }

  /**
   * Prepares the registration of a driver; nothing happens before {@link #start}.
   *
   * @param driverName the driver's name as GetPluginInfo gives it
   * @param endpointOnHost the driver's socket as kubelet sees it: absolute, on the <em>host</em>
   * @param registrationDirectory kubelet's registration directory as <em>this process</em> sees it,
   *     a directory of the default file system
   * @throws IllegalArgumentException if the name can't be part of a path, the endpoint is not
   *     absolute, or the path of the socket would have more than the kernel's 107 bytes
   * @since 0.1.0
   */
  public static PluginRegistration of(
      String driverName, Path endpointOnHost, Path registrationDirectory) {
    return of(driverName, endpointOnHost, registrationDirectory, RegistrationLoop.Pace.DEFAULT);
  }

  static PluginRegistration of(
      String driverName, Path endpointOnHost, Path directory, RegistrationLoop.Pace pace) {
    String fault = KubeletPaths.faultOf(driverName);
    if (fault != null) {
      throw new IllegalArgumentException("the driver's name " + fault);
    }
    if (!endpointOnHost.isAbsolute()) {
      throw new IllegalArgumentException(
          "the endpoint must be an absolute path of the host, but is \"" + endpointOnHost + "\"");
    }
    PluginInfo info =
        PluginInfo.newBuilder()
            .setType("CSIPlugin")
            .setName(driverName)
            .setEndpoint(endpointOnHost.toString())
            .addSupportedVersions("1.0.0")
            .build();
    Path absolute = directory.toAbsolutePath().normalize();
    return new PluginRegistration(info, new RegistrationSocket(absolute, driverName), pace);
  }

  /**
   * Offers the registration to kubelet and returns without waiting for its answer.
   *
   * @return this
   * @throws IllegalStateException if it is started already
   * @throws IOException if the directory is missing, the socket can't be made, or a file that is
   *     not a socket lies in its place (it is left alone). That another process still serves the
   *     socket is no error: it is waited for in the background.
   * @since 0.1.0
   */
  public synchronized PluginRegistration start() throws IOException {
    if (loop != null) {
      throw new IllegalStateException("the registration is started already");
    }
    RegistrationLoop started = new RegistrationLoop(info, socket, pace);
    started.start();
    loop = started;
    return this;
  }

  /**
   * What kubelet has answered so far.
   *
   * @since 0.1.0
   */
  public State state() {
    RegistrationLoop running = loop;
    return running == null ? State.STOPPED : running.state();
  }

  /**
   * Why the driver is not registered, in the words of kubelet or of the system; empty if nothing
   * went wrong.
   *
   * @since 0.1.0
   */
  public Optional<String> problem() {
    RegistrationLoop running = loop;
    return running == null ? Optional.empty() : Optional.ofNullable(running.problem());
  }

  /**
   * Takes the registration back: removes the socket, if it is still this one's, and ends the
   * threads. Usually done in milliseconds, after fifteen seconds at most; harmless when repeated.
   *
   * @since 0.1.0
   */
  @Override
  public synchronized void close() {
    RegistrationLoop running = loop;
    loop = null;
    if (running != null) {
      running.stop();
    }
  }
}
