package dev.csijava.hostpath.admin;

import dev.csijava.core.CsiException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** What the commands have in common: exit code 0 done, 1 refused or failed, 2 wrong flags. */
abstract class AdminCommand implements Callable<Integer> {
  static final int REFUSED = 1;
  static final int WRONG_FLAGS = 2;

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--help", usageHelp = true, description = "Print this and exit.")
  @SuppressWarnings("unused") // picocli itself acts on it
  private boolean helpAsked;

  /**
   * The command itself.
   *
   * @throws IllegalArgumentException for wrong flags
   */
  abstract void run(PrintWriter out) throws IOException, RefusedException;

  @Override
  public final Integer call() {
    CommandLine commandLine = Objects.requireNonNull(spec).commandLine();
    try {
      requireFlagsBehindCommand(commandLine);
      run(commandLine.getOut());
      commandLine.getOut().flush();
      return 0;
    } catch (IllegalArgumentException e) {
      return refuse(commandLine, WRONG_FLAGS, String.valueOf(e.getMessage()));
    } catch (NoSuchFileException e) {
      return refuse(commandLine, REFUSED, "there is no " + e.getMessage());
    } catch (RefusedException | CsiException e) {
      return refuse(commandLine, REFUSED, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return refuse(commandLine, REFUSED, e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  // The driver's own flags would be taken and have no effect: another directory would be worked on.
  private static void requireFlagsBehindCommand(CommandLine commandLine) {
    for (CommandLine up = commandLine.getParent(); up != null; up = up.getParent()) {
      ParseResult parsed = up.getParseResult();
      if (parsed != null && !parsed.matchedOptions().isEmpty()) {
        throw new IllegalArgumentException(
            parsed.matchedOptions().getFirst().longestName()
                + " stands before the command; flags of a command stand behind it");
      }
    }
  }

  private static int refuse(CommandLine commandLine, int code, String reason) {
    commandLine.getOut().flush();
    commandLine.getErr().println(commandLine.getCommandSpec().qualifiedName() + ": " + reason);
    commandLine.getErr().flush();
    return code;
  }
}
