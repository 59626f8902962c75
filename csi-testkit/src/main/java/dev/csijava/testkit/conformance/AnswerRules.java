package dev.csijava.testkit.conformance;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.VolumeCondition;
import dev.csijava.testkit.client.SafeText;
import dev.csijava.testkit.client.StatusText;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What must hold in every answer, of whatever RPC. */
final class AnswerRules {
  private static final int LONGEST_TEXT = 128;
  private static final int LARGEST_MAP = 4096;
  private static final int LONGEST_PART = 63;
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?");
  private static final Pattern PREFIX =
      Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

  /** Where rules say what they found. */
  @FunctionalInterface
  interface Judge {
    void settle(String row, boolean holds, String expected, String came);
  }

  private AnswerRules() {}

  static void look(
      Message request, List<Message> responses, Status status, Metadata trailers, Judge judge) {
    boolean fromDriver = fromDriver(status);
    if (fromDriver) {
      judge.settle("GEN-ERR-001", true, "", "");
      judge.settle(
          "GEN-ERR-002",
          status.getCode() != Status.Code.UNKNOWN,
          "a canonical code that says something",
          SafeText.strike(StatusText.of(status), request));
      judge.settle(
          "GEN-ERR-004", trailers.get(DETAILS) == null, "no details", "grpc-status-details-bin");
    }
    if (!status.isOk() && fromDriver) {
      String text = status.getDescription() == null ? "" : status.getDescription();
      judge.settle("GEN-ERR-003", !text.isBlank(), "a message for people", "an empty message");
    }
    if (!status.isOk()) {
      String text = status.getDescription() == null ? "" : status.getDescription();
      judge.settle(
          "GEN-SEC-005",
          SafeText.strike(text, request).equals(text),
          "no secret of the request in the status message",
          "a message with a secret");
    }
    for (Message response : responses) {
      Optional<String> missing = RequiredFields.missing(response);
      judge.settle(
          "GEN-FIELD-004", missing.isEmpty(), "all required fields", missing.orElse("") + " lacks");
      texts(response, judge);
      topologiesIn(List.of(response)).forEach(topology -> topology(topology, judge));
    }
  }

  /** Whether the driver spoke, and not this client about its connection or deadline. */
  private static boolean fromDriver(Status status) {
    return switch (status.getCode()) {
      case DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE -> false;
      default -> true;
    };
  }

  private static void texts(Message message, Judge judge) {
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (field.isMapField()) {
        int size = ((List<?>) entry.getValue()).stream().mapToInt(e -> size((Message) e)).sum();
        judge.settle(
            "GEN-SIZE-002",
            size <= LARGEST_MAP,
            "at most 4 KiB in " + field.getFullName(),
            size + " bytes");
        continue;
      }
      List<?> values = field.isRepeated() ? (List<?>) entry.getValue() : List.of(entry.getValue());
      for (Object value : values) {
        if (value instanceof Message nested) {
          texts(nested, judge);
        } else if (value instanceof String text && !ownLimit(field)) {
          judge.settle(
              "GEN-SIZE-001",
              bytes(text) <= LONGEST_TEXT,
              "at most 128 bytes in " + field.getFullName(),
              bytes(text) + " bytes: " + text);
        }
      }
    }
    if (message instanceof VolumeCondition condition) {
      judge.settle(
          "GEN-COND-001", !condition.getMessage().isBlank(), "a message", "a condition without");
    }
  }

  /** Node ids have a limit of their own, and mount flags and paths are the caller's. */
  private static boolean ownLimit(FieldDescriptor field) {
    String name = field.getFullName();
    return name.endsWith("NodeGetInfoResponse.node_id")
        || name.endsWith(".published_node_ids")
        || name.endsWith(".mount_flags");
  }

  /** All topologies that answers hold. */
  static List<Topology> topologiesIn(List<? extends Message> messages) {
    List<Topology> found = new ArrayList<>();
    messages.forEach(message -> collect(message, found));
    return found;
  }

  private static void collect(Message message, List<Topology> found) {
    if (message instanceof Topology topology) {
      found.add(topology);
      return;
    }
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isMapField()) {
                List<?> values = field.isRepeated() ? (List<?>) value : List.of(value);
                values.forEach(nested -> collect((Message) nested, found));
              }
            });
  }

  private static void topology(Topology topology, Judge judge) {
    Set<String> lower = new HashSet<>();
    topology
        .getSegmentsMap()
        .forEach(
            (key, value) -> {
              int slash = key.indexOf('/');
              String name = key.substring(slash + 1);
              judge.settle("GEN-TOPO-001", !name.isEmpty(), "a key with a name", key);
              judge.settle("GEN-TOPO-002", isLabel(name), "63 characters of a label", key);
              if (slash >= 0) {
                String prefix = key.substring(0, slash);
                judge.settle(
                    "GEN-TOPO-003",
                    prefix.length() <= LONGEST_PART && PREFIX.matcher(prefix).matches(),
                    "a lower-case domain name of up to 63 characters as prefix",
                    key);
              }
              judge.settle(
                  "GEN-TOPO-006", lower.add(key.toLowerCase(Locale.ROOT)), "one case only", key);
              judge.settle("GEN-TOPO-007", isLabel(value), "63 characters of a label", value);
            });
  }

  private static boolean isLabel(String text) {
    return text.length() <= LONGEST_PART && LABEL.matcher(text).matches();
  }

  private static int size(Message entry) {
    return bytes(part(entry, 1)) + bytes(part(entry, 2));
  }

  private static String part(Message entry, int number) {
    return String.valueOf(entry.getField(entry.getDescriptorForType().findFieldByNumber(number)));
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
