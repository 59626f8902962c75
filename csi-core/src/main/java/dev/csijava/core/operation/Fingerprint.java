package dev.csijava.core.operation;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a call asks for, in a form that tells identical calls (rule K8): the RPC and the request
 * without its secrets and without what a caller may send differently each time, that is the
 * service-account and pod keys in {@code volume_context}. Whether a volume is ephemeral, paths and
 * all else are part of it; the order of a map is not.
 *
 * <p>Immutable; holds no secret. Costs one serialisation of the request.
 *
 * <p>Not for drivers: the pipeline asks it for every call.
 *
 * @since 0.1.0
 */
public final class Fingerprint {
  private static final String POD_KEYS = "csi.storage.k8s.io/pod.";
  private static final String ACCOUNT_KEYS = "csi.storage.k8s.io/serviceAccount.";

  private final String type;
  private final byte[] bytes;
  private final int hash;

  private Fingerprint(String type, byte[] bytes) {
    this.type = type;
    this.bytes = bytes;
    this.hash = 31 * type.hashCode() + Arrays.hashCode(bytes);
  }

  /**
   * The fingerprint of a request message; its type stands for the RPC.
   *
   * @since 0.1.0
   */
  public static Fingerprint of(Message request) {
    Message same = withoutCallerKeys(SecretFree.copyOf(request));
    byte[] bytes = new byte[same.getSerializedSize()];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.useDeterministicSerialization();
    try {
      same.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("an array of the right size can be written", e);
    }
    return new Fingerprint(request.getDescriptorForType().getFullName(), bytes);
  }

  private static Message withoutCallerKeys(Message request) {
    FieldDescriptor context = request.getDescriptorForType().findFieldByName("volume_context");
    if (context == null || !context.isMapField()) {
      return request;
    }
    List<Object> kept = new ArrayList<>();
    for (Object element : (List<?>) request.getField(context)) {
      String key = ((MapEntry<?, ?>) element).getKey().toString();
      if (!key.startsWith(POD_KEYS) && !key.startsWith(ACCOUNT_KEYS)) {
        kept.add(element);
      }
    }
    return kept.size() == request.getRepeatedFieldCount(context)
        ? request
        : request.toBuilder().setField(context, kept).build();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fingerprint that
        && hash == that.hash
        && type.equals(that.type)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** The request's type only: what a caller sends is not for logs. */
  @Override
  public String toString() {
    return type + "#" + Integer.toHexString(hash);
  }
}
