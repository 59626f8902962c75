package dev.csijava.hostpath.admin;

import dev.csijava.core.mount.FileSystemType;
import dev.csijava.hostpath.capacity.Quantity;
import dev.csijava.hostpath.state.Backing;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code csi-hostpath volumes adopt}: gives a folder that is not served a record again. */
@Command(
    name = "adopt",
    sortOptions = false,
    description =
        "Gives a quarantined folder of a volume a record again, so that the driver serves it; the"
            + " driver is stopped. What the old record still tells need not be given.")
public final class AdoptCommand extends AdminCommand {
  @Parameters(paramLabel = "FOLDER", description = "The name of the folder, below volumes.")
  private String folder = "";

  @Mixin private PlaceOptions places = new PlaceOptions();

  @Option(names = "--id", paramLabel = "ID", description = "The id. Default: the folder's name")
  private @Nullable String id;

  @Option(names = "--name", paramLabel = "NAME", description = "The name, as CreateVolume had it.")
  private @Nullable String name;

  @Option(
      names = "--size",
      paramLabel = "AMOUNT",
      description = "The size, for example 10Gi. Default: that of the file")
  private @Nullable String size;

  @Option(
      names = "--backing",
      paramLabel = "BACKING",
      description = "directory, image or block. Default: directory for a directory")
  private @Nullable String backing;

  @Option(
      names = "--fs-type",
      paramLabel = "TYPE",
      description = "What lies in an image: ext4 or xfs.")
  private @Nullable String fileSystem;

  @Override
  void run(PrintWriter out) throws IOException, RefusedException {
    Adopt.Given given =
        new Adopt.Given(
            folder,
            Optional.ofNullable(id),
            Optional.ofNullable(name),
            Optional.ofNullable(size).map(Quantity::bytes),
            Optional.ofNullable(backing).map(AdoptCommand::backing),
            Optional.ofNullable(fileSystem).map(AdoptCommand::type));
    new Adopt(places.stateDirectory(), AdminMachine.real()).adopt(given, out::println);
  }

  private static Backing backing(String text) {
    return switch (text) {
      case "directory" -> Backing.DIRECTORY;
      case "image" -> Backing.IMAGE;
      case "block" -> Backing.BLOCK;
      default -> throw new IllegalArgumentException("--backing is directory, image or block");
    };
  }

  private static FileSystemType type(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "ext4" -> FileSystemType.EXT4;
      case "xfs" -> FileSystemType.XFS;
      default -> throw new IllegalArgumentException("--fs-type is ext4 or xfs");
    };
  }
}
