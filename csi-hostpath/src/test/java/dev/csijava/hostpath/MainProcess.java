package dev.csijava.hostpath;

import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.JavaProcess;
import dev.csijava.hostpath.testing.Leftovers;
import dev.csijava.spec.v1.ProbeRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The driver as an operator starts it, in a process that can be killed. */
final class MainProcess implements RestartableDriver {
  private static final Pattern SERVES = Pattern.compile(" serves (tcp://\\S+)\\s");

  /** A start is slow where many start at once. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

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
    Path log = root.resolve("log");
    long before = Files.exists(log) ? Files.size(log) : 0;
    // The kernel chooses the port: one that was free a moment ago may be somebody's by now.
    Process started = start(root, 0, options);
    Client caller = Client.of(endpoint(started, log, before));
    synchronized (this) {
      process = started;
      client = caller;
      killed = false;
    }
    caller.identity().probe(ProbeRequest.getDefaultInstance());
  }

  /** Where it says that it serves; waits for that as long as the process lives. */
  private static String endpoint(Process process, Path log, long from) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean alive = true;
    while (alive && System.nanoTime() < end) {
      alive = process.isAlive();
      Matcher served = SERVES.matcher(text(log, from));
      if (served.find()) {
        return served.group(1);
      }
      sleep();
    }
    process.destroyForcibly();
    throw new IOException(
        (alive ? "the driver does not serve yet: " : "the driver has ended: ") + text(log, from));
  }

  private static String text(Path log, long from) throws IOException {
    byte[] all = Files.readAllBytes(log);
    return new String(all, (int) from, (int) (all.length - from), StandardCharsets.UTF_8);
  }

  private static void sleep() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
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

  /** The time of all processors together that it took so far. */
  Duration processorTime() {
    return process.info().totalCpuDuration().orElseThrow();
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
