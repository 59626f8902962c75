package dev.csijava.hostpath.options;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much is logged: Go's -v. Its other flags are taken; this driver logs to standard error. */
public final class LogOptions {
  private static final int BODIES = 5;
  private static final int ALL = 8;

  /** Held, since the JDK forgets the level of a logger that nobody holds. */
  private static @Nullable Logger ours;

  @Option(
      names = {"--v"},
      paramLabel = "LEVEL",
      defaultValue = "0",
      description =
          "How much is logged: from 5 on also calls that only read, and answers, without secrets."
              + " Default: ${DEFAULT-VALUE}")
  private int verbosity;

  @Option(
      names = {
        "--logtostderr",
        "--alsologtostderr",
        "--skip_headers",
        "--skip_log_headers",
        "--one_output",
        "--add_dir_header",
        "--legacy_stderr_threshold_behavior"
      },
      arity = "1",
      converter = GoBoolean.class,
      paramLabel = "BOOLEAN",
      description = "Flags of Go's log package; taken, without effect.")
  @SuppressWarnings("unused") // taken and not looked at
  private boolean ignoredSwitch;

  @Option(
      names = {
        "--stderrthreshold",
        "--log_dir",
        "--log_file",
        "--log_file_max_size",
        "--log_backtrace_at",
        "--vmodule"
      },
      arity = "1",
      paramLabel = "VALUE",
      description = "Flags of Go's log package; taken, without effect.")
  @SuppressWarnings("unused") // taken and not looked at
  private List<String> ignoredValues = new ArrayList<>();

  /** The same flags once more; a test holds both equal. */
  public void register(PlainFlags flags) {
    flags.smallNumber(value -> verbosity = value, "--v");
    flags.bool(
        value -> ignoredSwitch = value,
        "--logtostderr",
        "--alsologtostderr",
        "--skip_headers",
        "--skip_log_headers",
        "--one_output",
        "--add_dir_header",
        "--legacy_stderr_threshold_behavior");
    flags.text(
        ignoredValues::add,
        "--stderrthreshold",
        "--log_dir",
        "--log_file",
        "--log_file_max_size",
        "--log_backtrace_at",
        "--vmodule");
  }

  /** What a verbosity is in Java's terms. */
  Level level() {
    if (verbosity >= ALL) {
      return Level.FINEST;
    }
    return verbosity >= BODIES ? Level.FINE : Level.INFO;
  }

  /** Logs as much as was asked for, from now on. */
  public void apply() {
    if (level().equals(Level.INFO)) {
      return;
    }
    // Not before flags are read: it costs an eighth of a start.
    ours = Logger.getLogger("dev.csijava");
    ours.setLevel(level());
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.setLevel(level());
    }
  }
}
