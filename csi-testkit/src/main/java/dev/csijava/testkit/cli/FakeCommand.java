package dev.csijava.testkit.cli;

import com.google.common.base.Splitter;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.testkit.fake.CsiVersion;
import dev.csijava.testkit.fake.FakeDriver;
import dev.csijava.testkit.fake.FakeDriverBuilder;
import dev.csijava.testkit.fake.FakeScript;
import io.grpc.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Plays a driver until it is told to stop. */
@Command(
    name = "fake",
    description =
        "Serves a driver that lives in memory, for people who write what calls drivers. Mounts"
            + " nothing and needs no root.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class FakeCommand implements Callable<Integer> {
  private static final int NOT_STARTED = 1;
  private static final int LONGEST_SECONDS = 86_400;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli fills it in
  private CommandSpec spec;

  @Mixin private final EndpointOption endpoint = new EndpointOption();

  @Option(
      names = "--name",
      defaultValue = "fake.csijava.dev",
      description = "The plugin name. Default: ${DEFAULT-VALUE}")
  private String name = "";

  @Option(
      names = "--node-id",
      split = ",",
      defaultValue = "fake-node-1,fake-node-2",
      description = "The nodes; the driver runs on the first. Default: ${DEFAULT-VALUE}")
  private List<String> nodes = List.of();

  @Option(
      names = "--csi-version",
      defaultValue = "1.12",
      description = "1.12 or 1.13. Default: ${DEFAULT-VALUE}")
  private String version = "";

  @Option(
      names = "--without",
      paramLabel = "WORD",
      description =
          "A capability to take away, as in ctrl:CLONE_VOLUME, node:STAGE_UNSTAGE_VOLUME or"
              + " plugin:GROUP_CONTROLLER_SERVICE; repeatable.")
  private List<String> without = List.of();

  @Option(
      names = "--fail",
      paramLabel = "RPC:N:CODE",
      description = "The Nth call of the RPC fails, as in CreateVolume:2:UNAVAILABLE; repeatable.")
  private List<String> failures = List.of();

  @Option(
      names = "--slow",
      paramLabel = "RPC:SECONDS",
      description = "The RPC answers late, as in NodeStageVolume:3; repeatable.")
  private List<String> slow = List.of();

  @Override
  public Integer call() throws InterruptedException {
    Path socket =
        endpoint.get().path().orElseThrow(() -> wrong("the fake driver serves Unix sockets only"));
    try (FakeDriver driver = builder().start(socket)) {
      script(driver.script());
      PrintWriter out = spec.commandLine().getOut();
      out.println("serving " + name + " at " + driver.endpoint());
      out.flush();
      serve(driver);
      return 0;
    } catch (IOException e) {
      spec.commandLine().getErr().println("the fake driver can't serve: " + e.getMessage());
      return NOT_STARTED;
    }
  }

  /** Until the process is told to stop, or the thread is interrupted. */
  private static void serve(FakeDriver driver) throws InterruptedException {
    Thread hook = new Thread(driver::close, "close-fake-driver");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      new CountDownLatch(1).await();
    } finally {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private FakeDriverBuilder builder() {
    if (nodes.isEmpty() || nodes.contains("")) {
      throw wrong("--node-id has an empty id");
    }
    FakeDriverBuilder builder =
        FakeDriver.builder()
            .name(name)
            .callsKept(0) // nobody can ask this program for them
            .nodes(nodes.get(0), nodes.subList(1, nodes.size()).toArray(new String[0]))
            .version(
                switch (version) {
                  case "1.12" -> CsiVersion.V1_12;
                  case "1.13" -> CsiVersion.V1_13;
                  default -> throw wrong("CSI " + version + " is not known; there are 1.12, 1.13");
                });
    for (String word : without) {
      takeAway(builder, word);
    }
    return builder;
  }

  private void takeAway(FakeDriverBuilder builder, String word) {
    List<String> parts = Splitter.on(':').limit(2).splitToList(word);
    String value = parts.size() == 2 ? parts.get(1).toUpperCase(Locale.ROOT) : "";
    try {
      switch (parts.get(0)) {
        case "plugin" -> builder.without(PluginCapability.Service.Type.valueOf(value));
        case "ctrl" -> builder.without(ControllerServiceCapability.RPC.Type.valueOf(value));
        case "node" -> builder.without(NodeServiceCapability.RPC.Type.valueOf(value));
        default -> throw wrong("'" + word + "' begins with none of plugin:, ctrl:, node:");
      }
    } catch (IllegalArgumentException e) {
      throw wrong("CSI has no capability " + word);
    }
  }

  private void script(FakeScript script) {
    try {
      for (String failure : failures) {
        List<String> parts = parts(failure, 3);
        script
            .on(parts.get(0))
            .call(number(failure, parts.get(1)))
            .fail(code(failure, parts.get(2)), "the fake driver was told to fail");
      }
      for (String late : slow) {
        List<String> parts = parts(late, 2);
        script.on(parts.get(0)).every().answerAfter(seconds(late, parts.get(1)));
      }
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private int number(String failure, String text) {
    try {
      int number = Integer.parseInt(text);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw wrong("'" + failure + "' names no call; the first one is 1");
  }

  private Status.Code code(String failure, String text) {
    for (Status.Code code : Status.Code.values()) {
      if (code.name().equalsIgnoreCase(text) && code != Status.Code.OK) {
        return code;
      }
    }
    throw wrong("'" + failure + "' ends with no code of gRPC, as UNAVAILABLE is one");
  }

  private Duration seconds(String late, String text) {
    try {
      double seconds = Double.parseDouble(text);
      if (seconds >= 0 && seconds <= LONGEST_SECONDS) {
        return Duration.ofMillis(Math.round(seconds * 1000));
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw wrong("'" + late + "' ends with no number of seconds up to " + LONGEST_SECONDS);
  }

  private List<String> parts(String text, int count) {
    List<String> parts = Splitter.on(':').splitToList(text);
    if (parts.size() != count) {
      throw wrong("'" + text + "' has not " + count + " parts");
    }
    return parts;
  }

  private ParameterException wrong(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }
}
