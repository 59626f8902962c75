package dev.csijava.testkit.conformance;

import com.google.common.io.ByteStreams;
import dev.csijava.testkit.client.CsiRpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Calls whose requests are bytes, whatever they mean. */
final class RawCalls {
  private static final int RANDOM_BYTES = 512;
  private static final int DEEP = 3000;
  private static final byte START_GROUP = 0x0b;
  private static final byte NO_WIRE_TYPE = 0x0f;

  private RawCalls() {}

  /** None of them can be read as a message, so none can do anything. */
  static List<byte[]> garbage(Random random) {
    byte[] noise = new byte[RANDOM_BYTES];
    random.nextBytes(noise);
    noise[0] = NO_WIRE_TYPE;
    byte[] groups = new byte[DEEP];
    java.util.Arrays.fill(groups, START_GROUP);
    return List.of(
        noise,
        groups,
        new byte[] {0x0a, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07}, // too long
        new byte[] {0x0a, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f}, // below zero
        new byte[] {0x08, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}, // a number without an end
        new byte[] {0x0a}, // a field without its length
        new byte[] {0x00, 0x01}); // the field number that nobody may have
  }

  /** How the driver ends the call. */
  static Status.Code send(Channel channel, CsiRpc rpc, byte[] request, Duration timeout) {
    MethodDescriptor<byte[], byte[]> method =
        rpc.method().toBuilder(new Bytes(), new Bytes()).build();
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS);
    try {
      ClientCalls.blockingServerStreamingCall(channel, method, options, request)
          .forEachRemaining(answer -> {});
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return ByteStreams.toByteArray(stream);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
