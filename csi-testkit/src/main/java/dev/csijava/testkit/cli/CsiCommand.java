package dev.csijava.testkit.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The program csi.
 *
 * @since 0.1.0
 */
@Command(
    name = "csi",
    description = "Works with drivers of the Container Storage Interface, in any language.",
    subcommands = {CallCommand.class, InfoCommand.class, FakeCommand.class},
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = CsiCommand.Version.class)
public final class CsiCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli fills it in
  private CommandSpec spec;

  CsiCommand() {}

  /** Without a subcommand there is nothing to do. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command");
  }

  /** A command line that is ready to run; its writers may be replaced. */
  static CommandLine commandLine() {
    return new CommandLine(new CsiCommand()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  /**
   * Runs the program; exits with 0 when all is well, 1 when a driver refuses or fails, 2 when the
   * command line is wrong.
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = CsiCommand.class.getPackage().getImplementationVersion();
      return new String[] {"csi " + (version == null ? "(not packaged)" : version)};
    }
  }
}
