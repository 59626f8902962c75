package dev.csijava.core.mount;

import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of mountinfo in one pass over its bytes. A line is: id, parent, device, root,
 * mount point, options, any number of tagged fields, a dash, type, source, super options. A line
 * that is not like that is left out rather than failing the look-up of all others.
 */
final class MountInfoParser {
  private static final int FIXED_FIELDS = 6;

  private final byte[] text;
  private final FileSystem fileSystem;
  private final List<Mount> mounts = new ArrayList<>();
  private final Set<Long> shared = new HashSet<>();

  /** Thousands of mounts have the same few options: parsed once, kept once. */
  private final Map<String, Set<String>> knownOptions = new HashMap<>();

  private final int[] from = new int[FIXED_FIELDS];
  private final int[] to = new int[FIXED_FIELDS];
  private int at;

  private MountInfoParser(byte[] text, FileSystem fileSystem) {
    this.text = text;
    this.fileSystem = fileSystem;
  }

  static MountTable parse(byte[] text, FileSystem fileSystem) {
    MountInfoParser parser = new MountInfoParser(text, fileSystem);
    while (parser.at < text.length) {
      int end = parser.endOfLine();
      Mount mount = parser.line(end);
      if (mount != null) {
        parser.mounts.add(mount);
      }
      parser.at = end + 1;
    }
    return new MountTable(parser.mounts, parser.shared);
  }

  private int endOfLine() {
    int end = at;
    while (end < text.length && text[end] != '\n') {
      end++;
    }
    return end;
  }

  private @Nullable Mount line(int end) {
    for (int i = 0; i < FIXED_FIELDS; i++) {
      from[i] = at;
      to[i] = field(end);
      if (at > end) {
        return null;
      }
    }
    boolean peers = false;
    while (!(at + 1 < end && text[at] == '-' && text[at + 1] == ' ')) {
      int start = at;
      int stop = field(end);
      if (at > end) {
        return null;
      }
      peers |= startsWith("shared:", start, stop);
    }
    at += 2;
    int typeFrom = at;
    int typeTo = field(end);
    int sourceFrom = at;
    int sourceTo = at > end ? at : field(end);
    if (at > end) {
      return null;
    }
    try {
      long id = number(0);
      if (peers) {
        shared.add(id);
      }
      byte[] target = decoded(from[4], to[4]);
      return new Mount(
          id,
          number(1),
          text(from[2], to[2]),
          text(from[3], to[3]),
          RawPaths.decode(fileSystem, target, 0, target.length),
          options(from[5], to[5]),
          text(typeFrom, typeTo),
          text(sourceFrom, sourceTo),
          options(at, end));
    } catch (NumberFormatException | InvalidPathException e) {
      return null;
    }
  }

  /** Moves behind the next blank, or beyond the end where there is none; the field's end. */
  private int field(int end) {
    while (at < end && text[at] != ' ') {
      at++;
    }
    return at++;
  }

  private boolean startsWith(String tag, int start, int stop) {
    for (int i = 0; i < tag.length(); i++) {
      if (start + i >= stop || text[start + i] != tag.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private long number(int field) {
    long value = 0;
    for (int i = from[field]; i < to[field]; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9 || i - from[field] > 18) {
        throw new NumberFormatException();
      }
      value = value * 10 + digit;
    }
    if (from[field] == to[field]) {
      throw new NumberFormatException();
    }
    return value;
  }

  private String text(int start, int stop) {
    return new String(decoded(start, stop), StandardCharsets.UTF_8);
  }

  /** The kernel writes blank, tab, newline, backslash and hash as a backslash and three digits. */
  private byte[] decoded(int start, int stop) {
    byte[] out = new byte[stop - start];
    int length = 0;
    for (int i = start; i < stop; i++) {
      if (text[i] == '\\' && octal(i + 1, stop) && octal(i + 2, stop) && octal(i + 3, stop)) {
        out[length++] =
            (byte) (((text[i + 1] - '0') << 6) | ((text[i + 2] - '0') << 3) | (text[i + 3] - '0'));
        i += 3;
      } else {
        out[length++] = text[i];
      }
    }
    return length == out.length ? out : Arrays.copyOf(out, length);
  }

  private boolean octal(int i, int stop) {
    return i < stop && text[i] >= '0' && text[i] <= '7';
  }

  private Set<String> options(int start, int stop) {
    return knownOptions.computeIfAbsent(
        text(Math.min(start, stop), stop), MountInfoParser::splitOptions);
  }

  /** A security label may hold commas; it stands in quotes then. */
  private static Set<String> splitOptions(String all) {
    Set<String> options = new LinkedHashSet<>();
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i <= all.length(); i++) {
      if (i == all.length() || (all.charAt(i) == ',' && !quoted)) {
        if (i > start) {
          options.add(all.substring(start, i));
        }
        start = i + 1;
      } else if (all.charAt(i) == '"') {
        quoted = !quoted;
      }
    }
    return Set.copyOf(options);
  }
}
