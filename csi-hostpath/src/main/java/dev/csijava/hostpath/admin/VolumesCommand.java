package dev.csijava.hostpath.admin;

import com.google.protobuf.util.JsonFormat;
import dev.csijava.hostpath.admin.state.VolumeListing;
import dev.csijava.hostpath.store.StateListing;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code csi-hostpath volumes}: what lies on disk; changes nothing, also while a driver runs. */
@Command(
    name = "volumes",
    sortOptions = false,
    subcommands = {AdoptCommand.class, PurgeCommand.class},
    description =
        "Lists what lies in the state directory, who uses it, and what nobody knows any more."
            + " Changes nothing.")
public final class VolumesCommand extends AdminCommand {
  @Mixin private PlaceOptions places = new PlaceOptions();

  @Option(
      names = "--known-ids",
      paramLabel = "FILE",
      description =
          "A file of volume ids, - for the standard input: every volume that is not among them is"
              + " marked unknown. For example the volumeHandles of all PersistentVolumes.")
  private @Nullable String knownIds;

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table or json. Default: ${DEFAULT-VALUE}")
  private String output = "";

  @Override
  void run(PrintWriter out) throws IOException, RefusedException {
    String format = output.toLowerCase(Locale.ROOT);
    if (!format.equals("table") && !format.equals("json")) {
      throw new IllegalArgumentException("--output is table or json");
    }
    VolumeListing listing =
        new VolumeSurvey(
                StateListing.read(places.stateDirectory()),
                RunFiles.read(places.runDirectory()),
                KnownIds.read(knownIds),
                AdminMachine.forReport())
            .make();
    if (format.equals("json")) {
      out.println(JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(listing));
    } else {
      ListingText.lines(listing).forEach(out::println);
    }
  }
}
