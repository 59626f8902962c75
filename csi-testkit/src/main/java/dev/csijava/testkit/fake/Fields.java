package dev.csijava.testkit.fake;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.CsiProto;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What holds for the fields of any request: sizes, names, paths, secrets. */
final class Fields {
  private static final int STRING_LIMIT = 128;
  private static final int NODE_ID_LIMIT = 256;
  private static final int LONG_LIMIT = 4096;

  private final Map<String, String> requiredSecrets;

  Fields(FakeSettings settings) {
    this.requiredSecrets = settings.requiredSecrets;
  }

  /** Sizes of all fields, and the secrets. */
  void check(Message request) {
    for (Map.Entry<FieldDescriptor, Object> field : request.getAllFields().entrySet()) {
      check(field.getKey(), field.getValue());
    }
    for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
      if (field.getOptions().getExtension(CsiProto.csiSecret)) {
        authenticate((List<?>) request.getField(field));
      }
    }
  }

  private void authenticate(List<?> entries) {
    for (Map.Entry<String, String> wanted : requiredSecrets.entrySet()) {
      boolean given =
          entries.stream()
              .map(entry -> (MapEntry<?, ?>) entry)
              .anyMatch(
                  entry ->
                      wanted.getKey().equals(entry.getKey())
                          && wanted.getValue().equals(entry.getValue()));
      if (!given) {
        throw Failure.unauthenticated("the secret " + wanted.getKey() + " is missing or wrong");
      }
    }
  }

  private void check(FieldDescriptor field, Object value) {
    if (field.isMapField()) {
      int sum = 0;
      for (Object entry : (List<?>) value) {
        MapEntry<?, ?> pair = (MapEntry<?, ?>) entry;
        sum += bytes(pair.getKey()) + bytes(pair.getValue());
      }
      limit(field, sum, LONG_LIMIT);
    } else if (field.getName().equals("mount_flags")) {
      limit(field, ((List<?>) value).stream().mapToInt(Fields::bytes).sum(), LONG_LIMIT);
    } else if (field.isRepeated()) {
      ((List<?>) value).forEach(element -> checkOne(field, element));
    } else {
      checkOne(field, value);
    }
  }

  private void checkOne(FieldDescriptor field, Object value) {
    if (value instanceof Message message) {
      message.getAllFields().forEach(this::check);
    } else if (value instanceof String) {
      limit(field, bytes(value), limitOf(field.getName()));
    }
  }

  private static int limitOf(String field) {
    if (field.endsWith("_path")) {
      return LONG_LIMIT;
    }
    return field.equals("node_id") ? NODE_ID_LIMIT : STRING_LIMIT;
  }

  private static void limit(FieldDescriptor field, int bytes, int limit) {
    if (bytes > limit) {
      throw Failure.invalid(
          field.getJsonName() + " has " + bytes + " bytes, more than the " + limit + " allowed");
    }
  }

  private static int bytes(Object text) {
    return text.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  static void required(String value, String field) {
    required(!value.isEmpty(), field);
  }

  static void required(boolean given, String field) {
    if (!given) {
      throw Failure.invalid(field + " is required");
    }
  }

  /** A name may hold any Unicode but control characters other than tab, LF and CR. */
  static void name(String name) {
    required(name, "name");
    boolean banned =
        name.codePoints()
            .anyMatch(c -> (c < 0x20 && c != 9 && c != 10 && c != 13) || (c >= 0x7f && c <= 0x9f));
    if (banned) {
      throw Failure.invalid("name holds a control character");
    }
  }

  /** A required absolute path. */
  static Path path(String path, String field) {
    required(path, field);
    try {
      Path parsed = Path.of(path);
      if (!parsed.isAbsolute()) {
        throw Failure.invalid(field + " must be absolute");
      }
      return parsed.normalize();
    } catch (InvalidPathException e) {
      throw Failure.invalid(field + " is no path");
    }
  }

  static void entries(int maxEntries) {
    if (maxEntries < 0) {
      throw Failure.invalid("max_entries must not be negative");
    }
  }
}
