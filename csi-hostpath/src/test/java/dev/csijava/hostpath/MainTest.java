package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
  private final StringWriter out = new StringWriter();

  private CommandLine commandLine(Map<String, String> environment) {
    return Main.commandLine(environment).setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
  }

  private Main parse(Map<String, String> environment, String... arguments) {
    CommandLine commandLine = commandLine(environment);
    commandLine.parseArgs(arguments);
    return commandLine.getCommand();
  }

  @Test
  void defaultsAreThoseOfTheGoDriver() {
    Main main = parse(Map.of(), "--nodeid=n");

    HostpathSettings settings = main.settings();
    assertThat(main.endpoint()).isEqualTo("unix:///tmp/csi.sock");
    assertThat(settings.driverName()).isEqualTo("hostpath.csi.k8s.io");
    assertThat(settings.stateDirectory()).isEqualTo(Path.of("/csi-data-dir"));
    assertThat(settings.runDirectory()).isEqualTo(Path.of("/run/csi-hostpath/hostpath.csi.k8s.io"));
    assertThat(settings.maxVolumeSize()).isEqualTo(1L << 40);
  }

  @Test
  void everyFlagIsTakenWithOneDashAndWithTwo() {
    for (String dash : new String[] {"-", "--"}) {
      Main main =
          parse(
              Map.of(),
              dash + "nodeid=n",
              dash + "drivername=d.example.com",
              dash + "statedir=/s",
              dash + "rundir=/r",
              dash + "max-volume-size=7",
              dash + "endpoint=unix:///e");

      assertThat(main.endpoint()).isEqualTo("unix:///e");
      assertThat(main.settings())
          .isEqualTo(
              new HostpathSettings(
                  "d.example.com", Main.Version.text(), "n", Path.of("/s"), Path.of("/r"), 7));
    }
  }

  @Test
  void theEndpointComesFromTheEnvironmentUnlessAFlagNamesOne() {
    Map<String, String> environment = Map.of("CSI_ENDPOINT", "unix:///from-environment");

    assertThat(parse(environment).endpoint()).isEqualTo("unix:///from-environment");
    assertThat(parse(environment, "--endpoint", "/flag").endpoint()).isEqualTo("/flag");
  }

  @Test
  void withoutANodeIdItDoesNotStart(@TempDir Path directory) {
    int exit = commandLine(Map.of()).execute("--statedir=" + directory.resolve("state"));

    assertThat(exit).isEqualTo(2);
    assertThat(out.toString()).contains("--nodeid");
    assertThat(directory.resolve("state")).doesNotExist();
  }

  @Test
  void aDriverNameThatIsNoneDoesNotStart(@TempDir Path directory) {
    int exit =
        commandLine(Map.of())
            .execute(
                "--nodeid=n",
                "--drivername=not a name",
                "--statedir=" + directory.resolve("state"),
                "--rundir=" + directory.resolve("run"),
                "--endpoint=unix://" + directory.resolve("s"));

    assertThat(exit).isEqualTo(2);
    assertThat(out.toString()).contains("name");
  }

  @Test
  void aStateDirectoryThatCantBeMadeDoesNotStart(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "x");

    int exit =
        commandLine(Map.of())
            .execute(
                "--nodeid=n",
                "--statedir=" + file,
                "--rundir=" + directory.resolve("run"),
                "--endpoint=unix://" + directory.resolve("s"));

    assertThat(exit).isEqualTo(1);
    assertThat(out.toString()).contains(file.toString());
  }

  @Test
  void theVersionIsPrinted() {
    assertThat(commandLine(Map.of()).execute("--version")).isZero();
    assertThat(out.toString()).startsWith("csi-hostpath ");
  }
}
