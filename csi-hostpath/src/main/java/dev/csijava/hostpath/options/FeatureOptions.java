package dev.csijava.hostpath.options;

import dev.csijava.hostpath.settings.ExpansionSettings;
import dev.csijava.hostpath.settings.FeatureSettings;
import dev.csijava.hostpath.settings.MetadataSettings;
import dev.csijava.hostpath.settings.ModifySettings;
import dev.csijava.spec.v1.BlockMetadataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** What is offered and what is not. */
public final class FeatureOptions {
  @Option(
      names = "--enable-topology",
      arity = "1",
      converter = GoBoolean.class,
      defaultValue = "true",
      description = "Say where volumes can be reached from. Default: ${DEFAULT-VALUE}")
  private boolean topology = true;

  @Option(
      names = "--enable-list-snapshots",
      arity = "1",
      converter = GoBoolean.class,
      defaultValue = "true",
      description = "Serve ListSnapshots. Default: ${DEFAULT-VALUE}")
  private boolean listSnapshots = true;

  @Option(
      names = {"--enable-volume-expansion", DeprecatedOptions.NODE_EXPAND_REQUIRED},
      arity = "1",
      converter = GoBoolean.class,
      defaultValue = "true",
      description =
          "Let volumes grow. --node-expand-required is its old name. Default: ${DEFAULT-VALUE}")
  private boolean expansion = true;

  @Option(
      names = "--disable-controller-expansion",
      arity = "1",
      converter = GoBoolean.class,
      defaultValue = "false",
      description = "Do not serve ControllerExpandVolume. Default: ${DEFAULT-VALUE}")
  private boolean noControllerExpansion;

  @Option(
      names = "--disable-node-expansion",
      arity = "1",
      converter = GoBoolean.class,
      defaultValue = "false",
      description = "Do not serve NodeExpandVolume. Default: ${DEFAULT-VALUE}")
  private boolean noNodeExpansion;

  @Option(
      names = "--enable-controller-modify-volume",
      arity = "1",
      converter = GoBoolean.class,
      defaultValue = "false",
      description = "Serve ControllerModifyVolume. Default: ${DEFAULT-VALUE}")
  private boolean modify;

  @Option(
      names = "--accepted-mutable-parameter-names",
      paramLabel = "NAMES",
      arity = "1",
      description =
          "The attributes that volumes may have, with commas between; may be repeated. Default:"
              + " any")
  private List<String> mutableNames = new ArrayList<>();

  @Option(
      names = "--enable-snapshot-metadata",
      arity = "1",
      converter = GoBoolean.class,
      defaultValue = "false",
      description = "Serve the SnapshotMetadata service. Default: ${DEFAULT-VALUE}")
  private boolean snapshotMetadata;

  @Option(
      names = "--snapshot-metadata-block-type",
      paramLabel = "TYPE",
      defaultValue = "FIXED_LENGTH",
      description =
          "How ranges of blocks are told: FIXED_LENGTH or VARIABLE_LENGTH. Default:"
              + " ${DEFAULT-VALUE}")
  private String blockType = "FIXED_LENGTH";

  @Option(
      names = DeprecatedOptions.EPHEMERAL,
      arity = "1",
      converter = GoBoolean.class,
      defaultValue = "false",
      description =
          "Offer inline volumes only and no capability of the controller, as Kubernetes 1.15 had"
              + " it. Inline volumes need no flag. Default: ${DEFAULT-VALUE}")
  private boolean inlineOnly;

  /** The same flags once more; a test holds both equal. */
  public void register(PlainFlags flags) {
    flags.bool(value -> topology = value, "--enable-topology");
    flags.bool(value -> listSnapshots = value, "--enable-list-snapshots");
    flags.bool(
        value -> expansion = value,
        "--enable-volume-expansion",
        DeprecatedOptions.NODE_EXPAND_REQUIRED);
    flags.bool(value -> noControllerExpansion = value, "--disable-controller-expansion");
    flags.bool(value -> noNodeExpansion = value, "--disable-node-expansion");
    flags.bool(value -> modify = value, "--enable-controller-modify-volume");
    flags.text(mutableNames::add, "--accepted-mutable-parameter-names");
    flags.bool(value -> snapshotMetadata = value, "--enable-snapshot-metadata");
    flags.text(value -> blockType = value, "--snapshot-metadata-block-type");
    flags.bool(value -> inlineOnly = value, DeprecatedOptions.EPHEMERAL);
  }

  /**
   * The settings.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public FeatureSettings settings() {
    return new FeatureSettings(
        inlineOnly,
        topology,
        listSnapshots,
        new ExpansionSettings(expansion, !noControllerExpansion, !noNodeExpansion),
        new ModifySettings(modify, acceptedNames()),
        new MetadataSettings(snapshotMetadata, blockType()));
  }

  private Optional<Set<String>> acceptedNames() {
    Set<String> names =
        mutableNames.stream()
            .flatMap(value -> Stream.of(value.split(",", -1)))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toSet());
    return names.isEmpty() ? Optional.empty() : Optional.of(names);
  }

  private BlockMetadataType blockType() {
    return switch (blockType) {
      case "FIXED_LENGTH" -> BlockMetadataType.FIXED_LENGTH;
      case "VARIABLE_LENGTH" -> BlockMetadataType.VARIABLE_LENGTH;
      default ->
          throw new IllegalArgumentException(
              "--snapshot-metadata-block-type is FIXED_LENGTH or VARIABLE_LENGTH, not "
                  + blockType);
    };
  }
}
