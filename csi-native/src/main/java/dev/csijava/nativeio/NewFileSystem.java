package dev.csijava.nativeio;

import dev.csijava.core.mount.FileSystemRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A file system as the kernel is asked for it: what mount(8) makes of its options before it hands
 * them on.
 *
 * @param type for example {@code ext4}
 * @param source the device, or any word
 * @param parameters of the whole file system, in the order in which they were given
 * @param attributes the bits of the mount
 */
record NewFileSystem(String type, String source, List<Parameter> parameters, long attributes) {
  /** What the kernel takes as a name or a value, the byte at its end included. */
  private static final int LONGEST_TEXT = 256;

  private static final long ACCESS_TIME = MountAttributes.ACCESS_TIME_MASK;

  /** Options of the mount: the bits that each clears and sets. */
  private static final Map<String, long[]> BITS =
      Map.ofEntries(
          Map.entry("suid", new long[] {0x2, 0}),
          Map.entry("nosuid", new long[] {0x2, 0x2}),
          Map.entry("dev", new long[] {0x4, 0}),
          Map.entry("nodev", new long[] {0x4, 0x4}),
          Map.entry("exec", new long[] {0x8, 0}),
          Map.entry("noexec", new long[] {0x8, 0x8}),
          Map.entry("relatime", new long[] {ACCESS_TIME, 0}),
          Map.entry("noatime", new long[] {ACCESS_TIME, 0x10}),
          Map.entry("strictatime", new long[] {ACCESS_TIME, 0x20}),
          Map.entry("diratime", new long[] {0x80, 0}),
          Map.entry("nodiratime", new long[] {0x80, 0x80}),
          Map.entry("symfollow", new long[] {0x200000, 0}),
          Map.entry("nosymfollow", new long[] {0x200000, 0x200000}));

  /** What mount(8) itself understands, beside what starts with x- or X-: left to it. */
  private static final Set<String> OF_THE_PROGRAM =
      Set.of(
          "atime",
          "auto",
          "noauto",
          "comment",
          "context",
          "defcontext",
          "fscontext",
          "rootcontext",
          "fsroot",
          "group",
          "helper",
          "uhelper",
          "loop",
          "loud",
          "silent",
          "mand",
          "nomand",
          "move",
          "_netdev",
          "nofail",
          "norelatime",
          "nostrictatime",
          "nouser",
          "offset",
          "owner",
          "sizelimit",
          "encryption",
          "user",
          "users");

  /** One option of the file system; the value is empty if it has none. */
  record Parameter(String name, Optional<String> value) {
    /** May be secret. */
    @Override
    public String toString() {
      return name;
    }
  }

  NewFileSystem {
    parameters = List.copyOf(parameters);
  }

  /** Empty if something in it is for mount(8) to understand. */
  static Optional<NewFileSystem> of(FileSystemRequest request) {
    List<Parameter> parameters = new ArrayList<>();
    long attributes = 0;
    for (String option : request.options()) {
      long[] bits = BITS.get(option);
      if (bits != null) {
        attributes = (attributes & ~bits[0]) | bits[1];
        continue;
      }
      if (option.equals("defaults")) {
        continue;
      }
      Parameter parameter = parameter(option);
      if (isOfTheProgram(parameter)) {
        return Optional.empty();
      }
      parameters.add(parameter);
      // Both the mount and the file system, as with mount(8).
      attributes = option.equals("ro") ? attributes | 1 : attributes;
      attributes = option.equals("rw") ? attributes & ~1 : attributes;
    }
    return isLong(request.source())
        ? Optional.empty()
        : Optional.of(new NewFileSystem(request.type(), request.source(), parameters, attributes));
  }

  private static Parameter parameter(String option) {
    int equals = option.indexOf('=');
    return equals < 0
        ? new Parameter(option, Optional.empty())
        : new Parameter(option.substring(0, equals), Optional.of(option.substring(equals + 1)));
  }

  private static boolean isOfTheProgram(Parameter parameter) {
    String name = parameter.name();
    String value = parameter.value().orElse("-");
    return OF_THE_PROGRAM.contains(name)
        || name.startsWith("x-")
        || name.startsWith("X-")
        || name.startsWith("verity.")
        || name.isEmpty()
        || value.isEmpty()
        // A quote holds commas together, at which the entry was split.
        || value.indexOf('"') >= 0
        || isLong(name)
        || isLong(value);
  }

  /** A text of other characters than ASCII has more bytes: left out as well. */
  private static boolean isLong(String text) {
    return text.length() >= LONGEST_TEXT || !text.chars().allMatch(c -> c < 128);
  }

  /** The text without the values of the options. */
  String redact(String text) {
    String clean = text;
    for (Parameter parameter : parameters) {
      String value = parameter.value().orElse("");
      // Shorter ones hide nothing and would garble the sentence.
      if (value.length() >= 4) {
        clean = clean.replace(value, "***");
      }
    }
    return clean;
  }

  @Override
  public String toString() {
    return type + " from " + source;
  }
}
