package dev.csijava.core;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/**
 * Reads requests, without giving up on bytes that are none: grpc-java would answer UNKNOWN, which
 * tells a caller nothing; the call handler answers INVALID_ARGUMENT instead.
 */
final class RequestMarshaller implements Marshaller<Object> {
  private final Marshaller<Message> generated;

  @SuppressWarnings("unchecked")
  RequestMarshaller(Marshaller<? extends Message> generated) {
    this.generated = (Marshaller<Message>) generated;
  }

  @Override
  public InputStream stream(Object value) {
    return generated.stream((Message) value);
  }

  @Override
  public Object parse(InputStream stream) {
    try {
      return generated.parse(stream);
    } catch (StatusRuntimeException e) {
      return MalformedRequest.INSTANCE;
    }
  }
}
