package dev.csijava.hostpath.options;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * Reads the command line of a driver that is to serve as picocli would, in a fifth of the time:
 * picocli, which reads annotations, takes a third of a start. It is left to what this does not
 * understand: commands, help, mistakes. A test holds the two equal, flag by flag.
 */
public final class PlainFlags {
  private final Map<String, Flag> flags = new HashMap<>();

  private interface Flag {
    /** Reads the value, and sets nothing yet. */
    Runnable read(String value) throws NotPlainException;

    default boolean isSwitch() {
      return false;
    }
  }

  /** Says that picocli has to look at the command line. */
  private static final class NotPlainException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** Registers a flag whose value is taken as it is. */
  public void text(Consumer<String> set, String... names) {
    add(value -> () -> set.accept(value), names);
  }

  void path(Consumer<Path> set, String... names) {
    add(
        value -> {
          try {
            Path path = Path.of(value);
            return () -> set.accept(path);
          } catch (InvalidPathException e) {
            throw new NotPlainException();
          }
        },
        names);
  }

  void number(LongConsumer set, String... names) {
    add(
        value -> {
          try {
            long number = Long.parseLong(value);
            return () -> set.accept(number);
          } catch (NumberFormatException e) {
            throw new NotPlainException();
          }
        },
        names);
  }

  void smallNumber(IntConsumer set, String... names) {
    add(
        value -> {
          try {
            int number = Integer.parseInt(value);
            return () -> set.accept(number);
          } catch (NumberFormatException e) {
            throw new NotPlainException();
          }
        },
        names);
  }

  void bool(Consumer<Boolean> set, String... names) {
    add(
        new Flag() {
          @Override
          public Runnable read(String value) throws NotPlainException {
            boolean on = GoArguments.bool(value).orElseThrow(NotPlainException::new);
            return () -> set.accept(on);
          }

          @Override
          public boolean isSwitch() {
            return true;
          }
        },
        names);
  }

  private void add(Flag flag, String... names) {
    for (String name : names) {
      flags.put(name, flag);
    }
  }

  /**
   * Sets what the arguments say.
   *
   * @return whether all of them were understood; if not, nothing is set
   */
  public boolean read(String... arguments) {
    List<Runnable> settings = new ArrayList<>();
    Iterator<String> rest = List.of(arguments).iterator();
    try {
      while (rest.hasNext()) {
        settings.add(next(rest));
      }
    } catch (NotPlainException e) {
      return false;
    }
    settings.forEach(Runnable::run);
    return true;
  }

  private Runnable next(Iterator<String> rest) throws NotPlainException {
    String argument = rest.next();
    Flag flag = flags.get(GoArguments.name(argument));
    if (flag == null) {
      throw new NotPlainException();
    }
    int equals = argument.indexOf('=');
    String value;
    if (equals >= 0) {
      value = argument.substring(equals + 1);
    } else if (flag.isSwitch()) {
      value = "true";
    } else {
      value = rest.hasNext() ? rest.next() : "";
    }
    if (value.isEmpty()) {
      throw new NotPlainException();
    }
    return flag.read(value);
  }
}
