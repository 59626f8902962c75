package dev.csijava.hostpath.options;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Flags that are taken, so that an old command line still starts, and have no use any more. */
public final class DeprecatedOptions {
  static final String EPHEMERAL = "--ephemeral";
  static final String NODE_EXPAND_REQUIRED = "--node-expand-required";

  private static final Map<String, String> WORDS =
      Map.of(
          EPHEMERAL,
          "it turns off all but inline volumes, which are offered without it",
          NODE_EXPAND_REQUIRED,
          "its name is --enable-volume-expansion now",
          "--automaxprocs",
          "the Java run time knows the limits of its container by itself");

  @Option(
      names = "--automaxprocs",
      arity = "1",
      converter = GoBoolean.class,
      defaultValue = "false",
      paramLabel = "BOOLEAN",
      description = "Deprecated, without effect: Java knows the limits of its container.")
  @SuppressWarnings("unused") // taken and not looked at
  private boolean automaxprocs;

  /** The same flags once more; a test holds both equal. */
  public void register(PlainFlags flags) {
    flags.bool(value -> automaxprocs = value, "--automaxprocs");
  }

  /** A sentence for each flag among these that is deprecated. */
  public static List<String> warnings(String... arguments) {
    return Stream.of(arguments)
        .map(GoArguments::name)
        .distinct()
        .map(name -> WORDS.containsKey(name) ? name + " is deprecated: " + WORDS.get(name) : null)
        .filter(Objects::nonNull)
        .toList();
  }
}
