package dev.csijava.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.fake.FakeDriver;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RecordingInterceptorTest {
  /** The call's end is told once; whoever missed it would wait for ever. */
  @Test
  @Timeout(60)
  void aCallerGetsItsAnswerWhateverTheObserverDoes() throws IOException {
    AtomicInteger told = new AtomicInteger();
    RecordingInterceptor recording =
        new RecordingInterceptor(
            (call, request, responses, status, trailers) -> {
              told.incrementAndGet();
              throw new IllegalStateException("on purpose");
            });
    try (FakeDriver driver = FakeDriver.builder().start();
        CsiConnection connection = CsiConnection.to(DriverEndpoint.parse(driver.endpoint()))) {
      Channel channel = ClientInterceptors.intercept(connection.kept(), recording);
      assertThat(CsiRpc.PROBE.call(channel, CsiRpc.PROBE.emptyRequest())).hasSize(1);
    }
    assertThat(told).hasValue(1);
  }
}
