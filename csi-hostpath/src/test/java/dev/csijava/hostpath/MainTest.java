package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.Mode;
import dev.csijava.core.SpecVersion;
import dev.csijava.hostpath.options.GoArguments;
import dev.csijava.hostpath.options.ServerOptions;
import dev.csijava.hostpath.settings.AttachSettings;
import dev.csijava.hostpath.settings.ExpansionSettings;
import dev.csijava.hostpath.settings.FeatureSettings;
import dev.csijava.hostpath.settings.MetadataSettings;
import dev.csijava.hostpath.settings.ModifySettings;
import dev.csijava.hostpath.settings.SizeSettings;
import dev.csijava.spec.v1.BlockMetadataType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
  private final StringWriter out = new StringWriter();

  private CommandLine commandLine(Map<String, String> environment) {
    return Main.commandLine(environment).setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
  }

  private Main parse(String... arguments) {
    CommandLine commandLine = commandLine(Map.of());
    commandLine.parseArgs(GoArguments.normalise(commandLine.getCommandSpec(), arguments));
    return commandLine.getCommand();
  }

  @Test
  void defaultsAreThoseOfTheGoDriver() {
    HostpathSettings settings = parse("--nodeid=n").settings();

    assertThat(settings)
        .isEqualTo(
            HostpathSettings.of(
                "hostpath.csi.k8s.io",
                Main.version(),
                "n",
                Path.of("/csi-data-dir"),
                Path.of("/run/csi-hostpath/hostpath.csi.k8s.io")));
    assertThat(settings.mode()).isEqualTo(Mode.ALL);
    assertThat(settings.advertised()).isEqualTo(SpecVersion.V1_12);
    assertThat(settings.sizes()).isEqualTo(new SizeSettings(1L << 40, 0, Map.of()));
    assertThat(settings.attach()).isEqualTo(new AttachSettings(false, 0, 0, false));
    assertThat(settings.features())
        .isEqualTo(
            new FeatureSettings(
                false,
                true,
                true,
                new ExpansionSettings(true, true, true),
                new ModifySettings(false, Optional.empty()),
                new MetadataSettings(false, BlockMetadataType.FIXED_LENGTH)));
  }

  @Test
  void everyFlagOfTheDriverReachesItsSetting() {
    HostpathSettings settings =
        parse(
                "--nodeid=n",
                "--drivername=d.example.com",
                "--statedir=/s",
                "--rundir=/r",
                "--mode=node",
                "--csi-version=1.13",
                "--max-volume-size=7",
                "--max-volume-size-node=6",
                "--capacity=fast=1Ki",
                "--capacity=slow=2k",
                "--enable-attach",
                "--maxvolumespernode=3",
                "--attach-limit=4",
                "--check-volume-lifecycle",
                "--ephemeral",
                "--enable-topology=false",
                "--enable-list-snapshots=false",
                "--enable-volume-expansion=false",
                "--disable-controller-expansion",
                "--disable-node-expansion",
                "--enable-controller-modify-volume",
                "--accepted-mutable-parameter-names=a,b",
                "--enable-snapshot-metadata",
                "--snapshot-metadata-block-type=VARIABLE_LENGTH")
            .settings();

    assertThat(settings)
        .isEqualTo(
            new HostpathSettings(
                "d.example.com",
                Main.version(),
                "n",
                Path.of("/s"),
                Path.of("/r"),
                Mode.NODE,
                SpecVersion.V1_13,
                new SizeSettings(7, 6, Map.of("fast", 1024L, "slow", 2000L)),
                new AttachSettings(true, 3, 4, true),
                new FeatureSettings(
                    true,
                    false,
                    false,
                    new ExpansionSettings(false, false, false),
                    new ModifySettings(true, Optional.of(Set.of("a", "b"))),
                    new MetadataSettings(true, BlockMetadataType.VARIABLE_LENGTH))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "--"})
  void aFlagIsWrittenAsGoHasIt(String dash) {
    HostpathSettings settings =
        parse(
                dash + "nodeid",
                "n",
                dash + "enable-attach",
                dash + "enable-topology=f",
                dash + "enable-list-snapshots=0",
                dash + "statedir",
                "/s",
                dash + "max-volume-size=1",
                dash + "max-volume-size=2",
                dash + "v",
                "5")
            .settings();

    assertThat(settings.nodeId()).isEqualTo("n");
    assertThat(settings.attach().enabled()).isTrue();
    assertThat(settings.features().topology()).isFalse();
    assertThat(settings.features().listSnapshots()).isFalse();
    assertThat(settings.stateDirectory()).isEqualTo(Path.of("/s"));
    assertThat(settings.sizes().maxVolumeSize()).as("the last one counts").isEqualTo(2);
  }

  @Test
  void theOldNameOfExpansionIsTheSameSwitchAndTheLastOfBothCounts() {
    assertThat(
            parse("--nodeid=n", "--node-expand-required=false").settings().features().expansion())
        .isEqualTo(new ExpansionSettings(false, true, true));
    assertThat(
            parse("--nodeid=n", "--node-expand-required=false", "--enable-volume-expansion=true")
                .settings()
                .features()
                .expansion()
                .enabled())
        .isTrue();
  }

  @Test
  void whatIsDeprecatedIsTakenWithAWarning() {
    int exit =
        Main.execute(
            commandLine(Map.of()),
            "-automaxprocs=true",
            "--ephemeral",
            "--node-expand-required=true",
            "--version");

    assertThat(exit).isZero();
    assertThat(out.toString())
        .contains(
            "--automaxprocs is deprecated",
            "--ephemeral is deprecated",
            "--node-expand-required is deprecated");
  }

  @Test
  void theFlagsOfGosLogAreTaken() {
    Main main =
        parse(
            "--nodeid=n",
            "-v=5",
            "--logtostderr",
            "-alsologtostderr=true",
            "--stderrthreshold=2",
            "--log_dir",
            "/tmp",
            "--log_file=x",
            "--log_file_max_size=1",
            "--skip_headers",
            "--skip_log_headers",
            "--one_output",
            "--vmodule=a=1",
            "--add_dir_header",
            "--log_backtrace_at=:0");

    assertThat(main.settings().nodeId()).isEqualTo("n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--mode=both",
        "--csi-version=2",
        "--capacity=fast",
        "--capacity=fast=1X",
        "--attach-limit=-2",
        "--maxvolumespernode=-1",
        "--max-volume-size=0",
        "--snapshot-metadata-block-type=SOME",
        "--socket-mode=rw",
        "--http-endpoint=9898",
        "--enable-attach=perhaps",
        "--no-such-flag"
      })
  void aFlagThatMakesNoSenseDoesNotStart(String flag, @TempDir Path directory) {
    int exit =
        Main.execute(
            commandLine(Map.of()),
            "--nodeid=n",
            "--statedir=" + directory.resolve("state"),
            "--rundir=" + directory.resolve("run"),
            "--endpoint=unix://" + directory.resolve("s"),
            flag);

    assertThat(exit).isEqualTo(2);
    assertThat(out.toString()).contains(flag.substring(0, Math.max(6, flag.indexOf('='))));
  }

  @Test
  void theEndpointComesFromTheEnvironmentUnlessAFlagNamesOne() {
    Map<String, String> environment = Map.of("CSI_ENDPOINT", "unix:///from-environment");

    assertThat(endpoint(environment)).isEqualTo("unix:///from-environment");
    assertThat(endpoint(environment, "--endpoint=/flag")).isEqualTo("unix:///flag");
    assertThat(endpoint(Map.of())).isEqualTo("unix:///tmp/csi.sock");
  }

  private static String endpoint(Map<String, String> environment, String... arguments) {
    ServerOptions options = new ServerOptions();
    new CommandLine(options).parseArgs(arguments);
    return options.endpoint(environment).toString();
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
    assertThat(out.toString()).contains(file + ": it exists already");
  }

  @Test
  void aGroupThatIsNoneIsNamed(@TempDir Path directory) {
    int exit =
        commandLine(Map.of())
            .execute(
                "--nodeid=n",
                "--statedir=" + directory.resolve("state"),
                "--rundir=" + directory.resolve("run"),
                "--endpoint=unix://" + directory.resolve("s"),
                "--socket-group=nobodys");

    assertThat(exit).isEqualTo(1);
    assertThat(out.toString()).contains("there is no such user or group");
    assertThat(directory.resolve("s")).doesNotExist();
  }

  @Test
  void theVersionIsPrinted() {
    assertThat(Main.execute(commandLine(Map.of()), "-version")).isZero();
    assertThat(out.toString()).startsWith("csi-hostpath ");
  }
}
