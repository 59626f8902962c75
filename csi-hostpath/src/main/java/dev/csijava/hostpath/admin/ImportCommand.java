package dev.csijava.hostpath.admin;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code csi-hostpath import}: takes over the state of the Go driver. */
@Command(
    name = "import",
    sortOptions = false,
    description =
        "Takes over the volumes, snapshots and groups of csi-driver-host-path; both drivers are"
            + " stopped. Pods that have volumes mounted keep them. A run that failed can be run"
            + " again, or taken back with --rollback.")
public final class ImportCommand extends AdminCommand {
  @Parameters(
      paramLabel = "DIRECTORY",
      description = "The state directory of the Go driver; may be the one of --statedir.")
  private Path source = Path.of("");

  @Mixin private PlaceOptions places = new PlaceOptions();

  @Option(names = "--dry-run", description = "Say what would be done, and change nothing.")
  private boolean dryRun;

  @Option(names = "--rollback", description = "Take back an import that was not finished.")
  private boolean rollback;

  @Option(
      names = "--skip",
      paramLabel = "ID",
      description = "Leave this volume, snapshot or group where it is. May be repeated.")
  private List<String> skipped = new ArrayList<>();

  @Option(
      names = "--old-socket",
      paramLabel = "PATH",
      description = "The socket of the Go driver; if somebody answers there, nothing is done.")
  private @Nullable Path socket;

  @Override
  void run(PrintWriter out) throws IOException, RefusedException {
    if (dryRun && rollback) {
      throw new IllegalArgumentException("--dry-run and --rollback exclude each other");
    }
    Import work =
        new Import(
            source.toAbsolutePath().normalize(),
            places.stateDirectory(),
            places.runDirectory(),
            Set.copyOf(skipped),
            AdminMachine.real());
    Consumer<String> lines = out::println;
    if (dryRun) {
      work.plan(lines);
      return;
    }
    Optional<String> running = new GoDriverProbe(Path.of("/proc")).running(socket);
    if (running.isPresent()) {
      throw new RefusedException(running.get() + "; stop it first");
    }
    if (rollback) {
      work.rollBack(lines);
    } else {
      work.run(lines);
    }
  }
}
