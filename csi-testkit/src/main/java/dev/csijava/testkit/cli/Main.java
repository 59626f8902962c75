package dev.csijava.testkit.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Objects;
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
    subcommands = {
      CheckCommand.class,
      CallCommand.class,
      InfoCommand.class,
      FakeCommand.class,
      LoadCommand.class,
      ManifestsCommand.class
    })
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

  /**
   * Runs one command and returns its status, for tests that call the program in their own process.
   *
   * @param out what the program prints goes there
   * @param err what it complains of goes there
   * @since 0.1.0
   */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    return commandLine().setOut(out).setErr(err).execute(arguments);
  }

  static CommandLine commandLine() {
    CommandLine program = new CommandLine(new Main());
    // The arguments of another program look like options of this one.
    Objects.requireNonNull(program.getSubcommands().get("manifests"))
        .setAllowOptionsAsOptionParameters(true);
    return program.setExecutionExceptionHandler(Main::failed);
  }

  /** A file that can't be read or written is the user's to see to, not a fault of the program. */
  private static int failed(Exception e, CommandLine command, CommandLine.ParseResult arguments)
      throws Exception {
    IOException cause =
        e instanceof IOException direct
            ? direct
            : e instanceof UncheckedIOException unchecked ? unchecked.getCause() : null;
    if (cause == null) {
      throw e;
    }
    command.getErr().println("csi " + command.getCommandName() + ": " + FileText.of(cause));
    command.getErr().flush();
    return command.getCommandSpec().exitCodeOnExecutionException();
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
