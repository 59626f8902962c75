package dev.csijava.core;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.csijava.core.FieldRule.Check;
import dev.csijava.core.FieldRule.Kind;
import dev.csijava.spec.v1.CsiProto;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the rules of one direction: those of requests blame the caller, those of answers the
 * driver. Holds the general rules too, which every field has that got no special one.
 */
final class FieldRules {
  /** The specification's limit for a text that has none of its own. */
  static final int TEXT_BYTES = 128;

  /** Of a node id, and of what names one. */
  static final int NODE_ID_BYTES = 256;

  /** The specification's limit for a map of texts, and for all mount flags together. */
  static final int MAP_BYTES = 4096;

  /** Linux counts the terminating NUL into its limit of 4096. */
  static final int PATH_BYTES = 4095;

  /**
   * Kubernetes hands a whole Secret over, with keys that are meant for others, and a Secret may
   * have this many bytes. The specification allows to refuse more than 4 KiB; it does not demand
   * it.
   */
  static final int SECRETS_BYTES = 1 << 20;

  private final Status.Code code;
  private final boolean ofAnswers;
  private final FieldRule text;
  private final FieldRule map;
  private final FieldRule secrets;
  private final FieldRule secretKeys;
  private final FieldRule knownEnum;

  private FieldRules(boolean ofAnswers) {
    this.ofAnswers = ofAnswers;
    this.code = ofAnswers ? Status.Code.INTERNAL : Status.Code.INVALID_ARGUMENT;
    String textLimit = ofAnswers ? "GEN-SIZE-001" : "GEN-SIZE-005";
    String mapLimit = ofAnswers ? "GEN-SIZE-002" : "GEN-SIZE-005";
    this.text = size(TEXT_BYTES, textLimit);
    // kubelet and the sidecars add what they know to what a driver or a user filled up to the
    // limit.
    this.map = mapSize(MAP_BYTES, key -> ofAnswers || !NameSyntax.isKubernetesKey(key), mapLimit);
    this.secrets = mapSize(SECRETS_BYTES, mapLimit);
    this.secretKeys =
        rule(Kind.KEYS, "has only legal keys", FieldRules::checkSecretKeys, "GEN-SEC-001");
    this.knownEnum = knownEnum(ofAnswers ? "GEN-FIELD-004" : "GEN-FIELD-003");
  }

  static FieldRules ofRequests() {
    return new FieldRules(false);
  }

  static FieldRules ofAnswers() {
    return new FieldRules(true);
  }

  Status.Code code() {
    return code;
  }

  /** What holds for a field on which nothing special of the same kind is laid. */
  List<FieldRule> generalRules(FieldDescriptor field) {
    if (field.isMapField()) {
      return field.getOptions().getExtension(CsiProto.csiSecret)
          ? List.of(secrets, secretKeys)
          : List.of(map);
    }
    return switch (field.getJavaType()) {
      case STRING -> List.of(text);
      case ENUM -> List.of(knownEnum);
      default -> List.of();
    };
  }

  List<FieldRule> generalRules() {
    return List.of(text, map, secrets, secretKeys, knownEnum);
  }

  /** A text, number or message must be set. */
  FieldRule required(String... ids) {
    return rule(
        Kind.REQUIRED,
        "must be set",
        FieldRules::checkPresent,
        with(ids, ofAnswers ? "GEN-FIELD-004" : "GEN-FIELD-001"));
  }

  /** A list or map must not be empty. */
  FieldRule requiredList(String... ids) {
    return rule(
        Kind.REQUIRED,
        "must hold one entry or more",
        FieldRules::checkPresent,
        with(ids, ofAnswers ? "GEN-FIELD-004" : "GEN-FIELD-002"));
  }

  /** No element of a list of texts is empty. */
  FieldRule noEmptyElements(String... ids) {
    return value(
        "has no empty element",
        (value, rule, walk) -> {
          List<?> list = list(value);
          for (int i = 0; i < list.size(); i++) {
            if (((String) list.get(i)).isEmpty()) {
              walk.brokenElement(rule, i, "is empty; leave it out");
            }
          }
        },
        ids);
  }

  /** A text, or each text of a list, is at most so many bytes long. */
  FieldRule size(int bytes, String... ids) {
    return rule(
        Kind.SIZE,
        "is at most " + bytes + " bytes of UTF-8",
        (value, rule, walk) -> {
          if (value instanceof String single) {
            if (TextChecks.longerThan(bytes, single)) {
              walk.broken(rule, tooLong(TextChecks.utf8Length(single), bytes));
            }
          } else {
            List<?> list = list(value);
            for (int i = 0; i < list.size(); i++) {
              if (TextChecks.longerThan(bytes, (String) list.get(i))) {
                walk.brokenElement(
                    rule, i, tooLong(TextChecks.utf8Length((String) list.get(i)), bytes));
              }
            }
          }
        },
        ids);
  }

  /** All texts of a list together are at most so many bytes long. */
  FieldRule totalSize(int bytes, String... ids) {
    return rule(
        Kind.SIZE,
        "is at most " + bytes + " bytes of UTF-8 in total",
        (value, rule, walk) -> {
          long total = 0;
          for (Object element : list(value)) {
            total += TextChecks.utf8Length((String) element);
          }
          if (total > bytes) {
            walk.broken(rule, tooLong(total, bytes));
          }
        },
        ids);
  }

  /** All keys and values of a map together are at most so many bytes long. */
  FieldRule mapSize(int bytes, String... ids) {
    return mapSize(bytes, key -> true, ids);
  }

  /** The same, of those keys alone that count. */
  FieldRule mapSize(int bytes, Predicate<String> counts, String... ids) {
    return rule(
        Kind.SIZE,
        "is at most " + bytes + " bytes of UTF-8 in total",
        (value, rule, walk) -> {
          long total = 0;
          for (Map.Entry<String, String> entry : map(value).entrySet()) {
            if (counts.test(entry.getKey())) {
              total +=
                  TextChecks.utf8Length(entry.getKey()) + TextChecks.utf8Length(entry.getValue());
            }
          }
          if (total > bytes) {
            walk.broken(rule, tooLong(total, bytes));
          }
        },
        ids);
  }

  /** A number is zero or more. */
  FieldRule notNegative(String... ids) {
    return value(
        "is not negative",
        (value, rule, walk) -> {
          if (value instanceof Number number && number.longValue() < 0) {
            walk.broken(rule, "is " + number + "; it must not be negative");
          }
        },
        ids);
  }

  /** An enum has a value of this version of the specification, and not UNKNOWN. */
  FieldRule knownEnum(String... ids) {
    return rule(
        Kind.ENUM,
        "has a known value other than UNKNOWN",
        (value, rule, walk) -> {
          if (value instanceof EnumValueDescriptor constant && !isKnown(constant)) {
            walk.broken(
                rule,
                "has the value "
                    + constant.getNumber()
                    + ", which is not one to use; set a known value");
          }
        },
        ids);
  }

  /** A field must stay at its zero value unless the driver offers a capability. */
  FieldRule needs(Predicate<CapabilityView> offered, String capability, String... ids) {
    return rule(
        Kind.CAPABILITY,
        "is set only with the capability " + capability,
        (value, rule, walk) -> {
          if (!isZero(value) && !offered.test(walk.capabilities())) {
            walk.broken(
                rule,
                "is set, but the driver lacks the capability " + capability + "; leave it out");
          }
        },
        ids);
  }

  /** Anything else about one value. */
  FieldRule value(String description, Check check, String... ids) {
    return rule(Kind.VALUE, description, check, ids);
  }

  FieldRule rule(Kind kind, String description, Check check, String... ids) {
    return new FieldRule(kind, Rule.of(code, description, ids), check);
  }

  static boolean isKnown(EnumValueDescriptor constant) {
    // A number that this version does not know has a made-up descriptor without a place of its own.
    return constant.getNumber() != 0
        && constant.getType().findValueByNumber(constant.getNumber()) != null;
  }

  static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  @SuppressWarnings("unchecked") // the only maps of csi.proto are of texts
  static Map<String, String> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, String>) map : Map.of();
  }

  private static boolean isZero(@Nullable Object value) {
    return value == null
        || (value instanceof String text && text.isEmpty())
        || (value instanceof List<?> list && list.isEmpty())
        || (value instanceof Map<?, ?> map && map.isEmpty())
        || (value instanceof Number number && number.longValue() == 0)
        || Boolean.FALSE.equals(value);
  }

  private static void checkPresent(@Nullable Object value, Rule rule, RuleWalk walk) {
    if (isZero(value)) {
      walk.broken(rule, "is missing; it must be set");
    }
  }

  private static void checkSecretKeys(@Nullable Object value, Rule rule, RuleWalk walk) {
    for (String key : map(value).keySet()) {
      String problem = NameSyntax.secretKey(key);
      if (problem != null) {
        walk.broken(rule, problem);
        return;
      }
    }
  }

  private static String tooLong(long bytes, int limit) {
    return "has " + bytes + " bytes of UTF-8; at most " + limit + " are allowed";
  }

  private static String[] with(String[] ids, String general) {
    return Stream.concat(Stream.of(ids), Stream.of(general)).toArray(String[]::new);
  }
}
