package dev.csijava.hostpath;

import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.JavaProcess;
import dev.csijava.hostpath.testing.Leftovers;
import dev.csijava.spec.v1.ProbeRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The driver as an operator starts it, in a process that can be killed. */
final class MainProcess implements RestartableDriver {
  private final Path root;
  private final List<String> options;
  private Process process;
  private Client client;
  private boolean killed;

  MainProcess(Path directory) throws IOException {
    this(directory, List.of("-Xmx128m"));
  }

  /**
   * @param options of the JVM
   */
  MainProcess(Path directory, List<String> options) throws IOException {
    this.root = directory.toRealPath();
    this.options = options;
    start();
  }

  /** A process on a state directory, started and not waited for; it writes to a log beside it. */
  static Process start(Path root, int port, List<String> options) throws IOException {
    return JavaProcess.of(
            options,
            "dev.csijava.hostpath.Main",
            "--endpoint=tcp://127.0.0.1:" + port,
            "--nodeid=node-1",
            "--enable-attach",
            "--statedir=" + root.resolve("state"),
            "--rundir=" + root.resolve("run"))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(root.resolve("log").toFile()))
        .start();
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void start() throws IOException {
    int port = freePort();
    Process started = start(root, port, options);
    Client caller = new Client(port);
    synchronized (this) {
      process = started;
      client = caller;
      killed = false;
    }
    caller.identity().probe(ProbeRequest.getDefaultInstance());
  }

  /** kill -9, at whatever it does; calls under way fail at once. */
  synchronized void kill() {
    killed = true;
    process.destroyForcibly();
    client.close();
  }

  /** Whether nobody started it again since it was killed. */
  synchronized boolean isKilled() {
    return killed;
  }

  /** The most memory that it had so far, in KiB. */
  long peakKibibytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public synchronized Client client() {
    return client;
  }

  @Override
  public void restart() throws IOException {
    stop();
    start();
  }

  private void stop() {
    kill();
    awaitEnd();
  }

  /** Returns when what was killed is gone. */
  void awaitEnd() {
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("a killed process does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      stop();
    } finally {
      Leftovers.clean(root);
    }
  }
}
