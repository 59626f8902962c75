package dev.csijava.hostpath.admin;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code csi-hostpath volumes purge}: deletes what the operator names, and nothing else. */
@Command(
    name = "purge",
    sortOptions = false,
    description =
        "Deletes volumes and quarantined folders for good; the driver is stopped. Refuses what is"
            + " mounted, staged, attached (unless --attached is given), or among --known-ids; then"
            + " nothing is deleted.")
public final class PurgeCommand extends AdminCommand {
  @Parameters(
      paramLabel = "ID|FOLDER",
      arity = "1..*",
      description = "Ids of volumes, or names of quarantined folders.")
  private List<String> what = new ArrayList<>();

  @Mixin private PlaceOptions places = new PlaceOptions();

  @Option(
      names = "--known-ids",
      paramLabel = "FILE",
      description = "A file of volume ids that must not be deleted; - for the standard input.")
  private @Nullable String knownIds;

  @Option(
      names = "--attached",
      description =
          "Also volumes that are attached to a node by their record: for what a cluster left that"
              + " is gone, so that nobody can detach it. What is mounted or open is refused all the"
              + " same.")
  private boolean attachedToo;

  @Override
  void run(PrintWriter out) throws IOException, RefusedException {
    new Purge(places.stateDirectory(), places.runDirectory(), AdminMachine.real(), attachedToo)
        .purge(what, KnownIds.read(knownIds), out::println);
  }
}
