package dev.csijava.core.operation;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

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
  /** Bytes; longer requests cost a copy. */
  private static final int USUAL_SIZE = 512;

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
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_SIZE);
    CodedOutputStream out = CodedOutputStream.newInstance(bytes, USUAL_SIZE);
    // For the maps of messages that are written whole.
    out.useDeterministicSerialization();
    Descriptor type = request.getDescriptorForType();
    try {
      RequestWriter.of(type).write(request, out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("an array can be written", e);
    }
    return new Fingerprint(type.getFullName(), bytes.toByteArray());
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
