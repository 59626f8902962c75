package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.CrashPoint;
import dev.csijava.hostpath.testing.JavaProcess;
import dev.csijava.hostpath.testing.Leftovers;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** In a process of its own, which halts at the boundary as kill -9 would have it. */
final class DriverProcess implements CrashableDriver {
  private static final int DEAD = 137;

  private final Path root;
  private Process process;
  private BufferedReader answers;
  private Writer orders;
  private Client client;

  DriverProcess(Path directory) throws IOException {
    root = directory.toRealPath();
    run(Integer.MAX_VALUE);
    client = connected();
  }

  /**
   * The process: serves, and takes orders from its standard input until that ends. Arguments: the
   * directory, and at which boundary of its start it dies.
   */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    CrashPoint point = new CrashPoint(() -> Runtime.getRuntime().halt(DEAD));
    point.arm(Integer.parseInt(arguments[1]));
    try (HostpathDriver driver =
            HostpathDriver.open(DriverThatDies.settings(root), DriverThatDies.host(point));
        CsiServer server =
            CsiServer.forDriver(driver.driver())
                .endpoint(CsiEndpoint.parse("tcp://127.0.0.1:0"))
                .start()) {
      BufferedReader orders =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      List<String> _ = point.disarm();
      say(server.endpoint().toString());
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        if (order.equals("disarm")) {
          say(String.join(",", point.disarm()));
        } else {
          point.arm(Integer.parseInt(order));
          say("armed");
        }
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private void run(int boundariesOfStart) throws IOException {
    process =
        JavaProcess.of(
                DriverProcess.class.getName(), root.toString(), Integer.toString(boundariesOfStart))
            .redirectError(ProcessBuilder.Redirect.appendTo(root.resolve("log").toFile()))
            .start();
    answers = process.inputReader(StandardCharsets.UTF_8);
    orders = process.outputWriter(StandardCharsets.UTF_8);
  }

  private Client connected() throws IOException {
    Client caller = Client.of(answer());
    caller.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
    return caller;
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the driver is dead; see " + root.resolve("log"));
    }
    return line;
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public Client client() {
    return client;
  }

  @Override
  public void arm(int boundaries) throws IOException {
    order(Integer.toString(boundaries));
  }

  @Override
  public List<String> disarm() throws IOException {
    return List.of(order("disarm").split(",", -1));
  }

  private String order(String line) throws IOException {
    orders.write(line + "\n");
    orders.flush();
    return answer();
  }

  /** Starts it, and it dies again before it serves, if its start has so many boundaries. */
  void dieInStart(int boundariesOfStart) throws IOException {
    stop();
    run(boundariesOfStart);
    String line = answers.readLine();
    if (line == null) {
      awaitEnd();
      assertThat(process.exitValue()).as("it did not fail, but died").isEqualTo(DEAD);
    }
  }

  @Override
  public void restart() throws IOException {
    stop();
    run(Integer.MAX_VALUE);
    client = connected();
  }

  private void stop() {
    client.close();
    process.destroyForcibly();
    awaitEnd();
  }

  private void awaitEnd() {
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
