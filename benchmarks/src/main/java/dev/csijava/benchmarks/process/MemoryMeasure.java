package dev.csijava.benchmarks.process;

import dev.csijava.benchmarks.report.Figure;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * How much memory does one node's driver keep, idle with registration, health and metrics, and
 * after a hundred thousand calls? A peer is counted together with the processes that do the same
 * for it.
 *
 * <pre>bin/bench MemoryMeasure</pre>
 */
final class MemoryMeasure implements WholeProcess {
  private static final int CALLS = 100_000;
  private static final int FEWER_CALLS = 3_000;
  private static final int PROCESSES = 3;

  /** A driver that is idle is so for longer; what it has freed goes back every ten seconds. */
  private static final long SETTLE_SECONDS = 20;

  @Override
  public List<Figure> run(DriverPrograms programs, Effort effort, Consumer<String> say)
      throws IOException, InterruptedException {
    List<Figure> figures = new ArrayList<>();
    for (Program program : programs.drivers()) {
      List<Double> idle = new ArrayList<>();
      List<Double> later = new ArrayList<>();
      for (int i = 0; i < effort.choose(PROCESSES, 1, 1); i++) {
        Path state = Files.createTempDirectory("csi-benchmark").toRealPath();
        try {
          measure(program, programs, state, effort, idle, later);
        } finally {
          Trees.delete(state);
        }
      }
      String name = MemoryMeasure.class.getName();
      Map<String, String> params = Map.of("program", program.name());
      figures.add(Figure.of(name + ".idle", params, "MiB", idle));
      String after = effort == Effort.FULL ? ".afterCalls" : ".afterFewerCalls";
      figures.add(Figure.of(name + after, params, "MiB", later));
    }
    return figures;
  }

  private static void measure(
      Program program,
      DriverPrograms programs,
      Path state,
      Effort effort,
      List<Double> idle,
      List<Double> later)
      throws IOException, InterruptedException {
    // A socket with a long name lies there, and the kernel takes 107 bytes of path.
    Path plugins = Files.createTempDirectory("csi-node");
    int port = freePort();
    List<Sidecar> beside = new ArrayList<>();
    try (RunningDriver driver =
        RunningDriver.start(
            program, state, program.ours() ? everything(plugins, port) : List.of())) {
      try {
        if (!program.ours()) {
          startSidecars(programs, driver, plugins, port, beside);
        }
        TimeUnit.SECONDS.sleep(effort.choose(SETTLE_SECONDS, SETTLE_SECONDS, 0L));
        if (program.ours() || programs.liveness().isPresent()) {
          askForHealth(port);
        }
        idle.add(sum(driver, beside));
        new Life(driver.connection(), plugins).calls(effort.choose(CALLS, FEWER_CALLS, 1));
        later.add(sum(driver, beside));
      } finally {
        beside.forEach(Sidecar::close);
      }
    } finally {
      Trees.delete(plugins);
    }
  }

  private static List<String> everything(Path plugins, int port) {
    return List.of(
        "--http-endpoint=127.0.0.1:" + port,
        "--kubelet-registration-path=/var/lib/kubelet/plugins/hostpath/csi.sock",
        "--plugin-registration-path=" + plugins,
        "--enable-snapshot-metadata=true",
        "--enable-controller-modify-volume=true");
  }

  private static void startSidecars(
      DriverPrograms programs, RunningDriver driver, Path plugins, int port, List<Sidecar> beside)
      throws IOException {
    if (programs.registrar().isPresent()) {
      beside.add(
          Sidecar.start(
              List.of(
                  programs.registrar().get().toString(),
                  "--csi-address=" + driver.socket(),
                  "--kubelet-registration-path=" + driver.socket(),
                  "--plugin-registration-path=" + plugins),
              plugins.resolve("registrar.log")));
    }
    if (programs.liveness().isPresent()) {
      beside.add(
          Sidecar.start(
              List.of(
                  programs.liveness().get().toString(),
                  "--csi-address=" + driver.socket(),
                  "--http-endpoint=127.0.0.1:" + port),
              plugins.resolve("liveness.log")));
    }
  }

  private static double sum(RunningDriver driver, List<Sidecar> beside) throws IOException {
    double sum = driver.memory();
    for (Sidecar sidecar : beside) {
      sum += sidecar.memory();
    }
    return sum;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void askForHealth(int port) throws IOException {
    for (String page : List.of("healthz", "metrics")) {
      try (InputStream answer =
          URI.create("http://127.0.0.1:" + port + "/" + page).toURL().openStream()) {
        if (answer.readAllBytes().length == 0) {
          throw new IOException("the page " + page + " is empty");
        }
      }
    }
  }
}
