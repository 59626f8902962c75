package dev.csijava.core.mount;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A program and its arguments, never a shell's text. What is marked as secret is printed as {@code
 * ***}, also where the program repeats it in its own words.
 */
final class ProgramCommand {
  private static final String HIDDEN = "***";

  /** Shorter values are words like "4.1", which hide nothing and would garble every sentence. */
  private static final int SHORTEST_SECRET_VALUE = 4;

  private final List<String> shown;
  private final List<String> arguments;
  private final Set<String> secrets;

  private ProgramCommand(List<String> shown, List<String> arguments, Set<String> secrets) {
    this.shown = List.copyOf(shown);
    this.arguments = List.copyOf(arguments);
    this.secrets = secrets;
  }

  static ProgramCommand of(String program, String... arguments) {
    List<String> all = new ArrayList<>();
    all.add(program);
    all.addAll(Arrays.asList(arguments));
    return new ProgramCommand(all, all, Set.of());
  }

  ProgramCommand with(String... more) {
    return with(Arrays.asList(more));
  }

  ProgramCommand with(Collection<String> more) {
    return new ProgramCommand(joined(shown, more), joined(arguments, more), secrets);
  }

  /**
   * One more argument that is never printed, for example the text after {@code -o}. In what the
   * program says it is struck out too, unless it has no value: {@code ro} hides nothing, and would
   * make {@code w***ng fs type} of "wrong fs type".
   */
  ProgramCommand withSecret(String argument) {
    Set<String> more = new LinkedHashSet<>(secrets);
    if (argument.indexOf('=') >= 0) {
      more.add(argument);
    }
    for (String item : argument.split(",", -1)) {
      int equals = item.indexOf('=');
      if (equals > 0) {
        more.add(item);
        if (item.length() - equals > SHORTEST_SECRET_VALUE) {
          more.add(item.substring(equals + 1));
        }
      }
    }
    more.remove("");
    return new ProgramCommand(
        joined(shown, List.of(HIDDEN)), joined(arguments, List.of(argument)), more);
  }

  /** What is executed, secrets in clear. */
  List<String> arguments() {
    return arguments;
  }

  String program() {
    return arguments.get(0);
  }

  /** The text without this command's secrets. */
  String redact(String text) {
    String clean = text;
    // The longest first, so that no piece of it is left over.
    for (String secret :
        secrets.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList()) {
      clean = clean.replace(secret, HIDDEN);
    }
    return clean;
  }

  @Override
  public String toString() {
    return redact(String.join(" ", shown));
  }

  private static List<String> joined(List<String> first, Collection<String> second) {
    List<String> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }
}
