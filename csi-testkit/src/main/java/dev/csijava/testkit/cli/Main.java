package dev.csijava.testkit.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The program {@code bin/csi}.
 *
 * @since 0.1.0
 */
@Command(
    name = "csi",
    description = "Looks at CSI drivers from outside, in whatever language they are written.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    subcommands = {CheckCommand.class, CallCommand.class, InfoCommand.class, FakeCommand.class})
public final class Main {
  Main() {}

  /**
   * Runs one command and exits with its status: 0 for success, 1 for findings or failure, 2 for
   * wrong arguments.
   *
   * @since 0.1.0
   */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main());
  }

  /** The version that the build wrote into the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"csi " + (version == null ? "unreleased" : version)};
    }
  }
}
