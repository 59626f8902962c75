package dev.csijava.examples.lifecycle;

import io.grpc.Status;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Tells the story in aligned columns; in colours only where asked. */
final class Terminal implements Narrator {
  private static final String INDENT = " ".repeat(18);

  private final PrintStream out;
  private final boolean colours;
  private List<OwnMount> mountsBefore = List.of();

  Terminal(PrintStream out, boolean colours) {
    this.out = out;
    this.colours = colours;
  }

  @Override
  public void chapter(String title) {
    out.printf("%n%s%n", paint(Colour.BOLD, title));
  }

  @Override
  public void call(int number, Step.Call call, Outcome outcome) {
    String status = String.format(Locale.ROOT, "%-19s", outcome.code());
    out.printf(
        Locale.ROOT,
        "%4d %9.1f ms  %s  %-26s  %s%n",
        number,
        outcome.duration().toNanos() / 1e6,
        paint(colourOf(outcome), status),
        call.rpc(),
        line(call, outcome));
    if (outcome.code() != Status.Code.OK) {
      out.println(INDENT + outcome.words());
    }
    if (!outcome.expected()) {
      out.println(INDENT + paint(Colour.RED, "SURPRISE: expected " + call.expected()));
    }
  }

  private static String line(Step.Call call, Outcome outcome) {
    boolean more = outcome.code() == Status.Code.OK && !outcome.words().isEmpty();
    String about = more && !call.about().isEmpty() ? call.about() + ": " : call.about();
    return more ? about + outcome.words() : about;
  }

  private static Colour colourOf(Outcome outcome) {
    if (!outcome.expected()) {
      return Colour.RED;
    }
    return outcome.code() == Status.Code.OK ? Colour.GREEN : Colour.YELLOW;
  }

  @Override
  public void check(String claim, boolean holds, String error) {
    if (holds) {
      out.println(INDENT + paint(Colour.GREEN, "true") + "  " + claim);
    } else {
      String reason = error.isEmpty() ? "" : " (" + error + ")";
      out.println(INDENT + paint(Colour.RED, "SURPRISE: not true") + "  " + claim + reason);
    }
  }

  @Override
  public void facts(List<Step.Fact> facts) {
    int width = facts.stream().mapToInt(fact -> fact.name().length()).max().orElse(0);
    for (Step.Fact fact : facts) {
      out.println(INDENT + pad(fact.name(), width) + "  " + fact.value());
    }
  }

  /** New ones are marked. Long lines: they start further left than the rest. */
  @Override
  public void mounts(List<OwnMount> mounts) {
    int width = mounts.stream().mapToInt(mount -> mount.target().length()).max().orElse(0);
    for (OwnMount mount : mounts) {
      out.printf(
          "    %s %s  %s  %s %s%n",
          mountsBefore.contains(mount) ? "|" : paint(Colour.BOLD, "+"),
          pad(mount.target(), width),
          mount.shows(),
          mount.fileSystem(),
          mount.writable() ? "rw" : "ro");
    }
    if (mounts.isEmpty()) {
      out.println("    (nothing of ours is mounted)");
    }
    mountsBefore = List.copyOf(mounts);
  }

  @Override
  public void end(Tally tally, int leftOut) {
    out.println();
    if (leftOut > 0) {
      out.printf("%d steps were left out, since they need the call that failed%n", leftOut);
    }
    out.println(paint(tally.surprises() == 0 ? Colour.GREEN : Colour.RED, tally.toString()));
    out.flush();
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  private String paint(Colour colour, String text) {
    return colours ? colour.code + text + "\033[0m" : text;
  }

  private enum Colour {
    BOLD("\033[1m"),
    RED("\033[31m"),
    GREEN("\033[32m"),
    YELLOW("\033[33m");

    private final String code;

    Colour(String code) {
      this.code = code;
    }
  }
}
