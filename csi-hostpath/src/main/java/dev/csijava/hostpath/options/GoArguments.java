package dev.csijava.hostpath.options;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Reads flags as Go's package flag does: one dash or two, a value behind {@code =} or in the next
 * argument, switches as {@code --flag}, {@code --flag=false}, {@code --flag=f}, {@code --flag=0};
 * the first argument that is no flag, and {@code --}, end them.
 */
public final class GoArguments {
  private GoArguments() {}

  /** The same arguments in one way of writing: two dashes, and a value behind {@code =}. */
  public static String[] normalise(CommandSpec flags, String... arguments) {
    List<String> normal = new ArrayList<>();
    Iterator<String> rest = List.of(arguments).iterator();
    while (rest.hasNext()) {
      String argument = rest.next();
      OptionSpec option = flags.findOption(name(argument));
      if (option == null) {
        // Not ours: a command or a mistake, for which the parser has the words.
        normal.add(argument);
        rest.forEachRemaining(normal::add);
      } else if (option.usageHelp() || option.versionHelp()) {
        normal.add(name(argument));
      } else if (argument.contains("=")) {
        normal.add(name(argument) + argument.substring(argument.indexOf('=')));
      } else if (option.type() == boolean.class) {
        normal.add(name(argument) + "=true");
      } else if (rest.hasNext()) {
        normal.add(name(argument) + "=" + rest.next());
      } else {
        normal.add(name(argument));
      }
    }
    return normal.toArray(String[]::new);
  }

  /** The name of a flag with two dashes; of anything else, what no flag is called. */
  static String name(String argument) {
    if (!argument.startsWith("-") || argument.equals("-") || argument.equals("--")) {
      return "no flag";
    }
    int end = argument.indexOf('=');
    String name = end < 0 ? argument : argument.substring(0, end);
    return name.startsWith("--") ? name : "-" + name;
  }

  /** A switch in the spellings that Go takes. */
  static Optional<Boolean> bool(String value) {
    return switch (value) {
      case "1", "t", "T", "true", "TRUE", "True" -> Optional.of(true);
      case "0", "f", "F", "false", "FALSE", "False" -> Optional.of(false);
      default -> Optional.empty();
    };
  }
}
