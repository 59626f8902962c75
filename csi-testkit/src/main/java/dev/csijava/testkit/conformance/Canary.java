package dev.csijava.testkit.conformance;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.csijava.testkit.client.CsiRpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A value that nobody else has, put into every secret field that requests have. */
final class Canary {
  private static final String KEY = "csi-testkit-extra";

  private final String value = "csi-testkit-canary-" + UUID.randomUUID();

  /** The value that must not come to light. */
  String value() {
    return value;
  }

  /** It as a map of secrets. */
  Map<String, String> secrets() {
    return Map.of(KEY, value);
  }

  /** The RPCs that the driver serves and whose requests have secrets. */
  static List<CsiRpc> rpcs(CaseContext c) {
    List<CsiRpc> rpcs = new ArrayList<>();
    for (CsiRpc rpc : CsiRpc.values()) {
      FieldDescriptor secrets =
          rpc.emptyRequest().getDescriptorForType().findFieldByName("secrets");
      if (secrets != null && ServedRpcs.serves(c, rpc)) {
        rpcs.add(rpc);
      }
    }
    return rpcs;
  }

  /** The request with every plain text field filled, so that it is refused for what it names. */
  static Message unknown(CaseContext c, Message request) {
    Message.Builder builder = request.toBuilder();
    for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
      if (field.getJavaType() == FieldDescriptor.JavaType.STRING && !field.isRepeated()) {
        boolean path = field.getName().endsWith("_path");
        builder.setField(field, path ? c.make().onNode().targetPath() : c.requests().unknownId());
      }
    }
    return builder.build();
  }
}
