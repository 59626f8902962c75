package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.csijava.core.metadata.ReplyStream;
import dev.csijava.core.operation.OperationListener;
import dev.csijava.core.operation.OperationSettings;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.CsiProto;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A driver that puts all its secrets into all its failures, called with a canary in every secret
 * field of every request: the canary is in no log at any level, no status and no metric (rule K3;
 * GEN-SEC-005, GEN-SEC-006; field bugs B021 and B023).
 *
 * <p>Looks at all loggers but the one of gRPC's client, which is the caller and dumps the frames
 * that it sends as bytes when asked to.
 */
class CanaryTest {
  private static final String CANARY = "canary-in-the-coal-mine";
  private static final String CANARY_AS_BYTES =
      HexFormat.of().formatHex("canary-in".getBytes(StandardCharsets.UTF_8));
  private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";
  private static final Map<Rpc, Message> REQUESTS = requests();

  /** How the driver ends a call, secrets in hand. */
  private enum End {
    WELL,
    CHOSEN_FAILURE,
    GRPC_FAILURE,
    ACCIDENT,
    ERROR;

    void act(String secrets) {
      RuntimeException cause = new IllegalStateException("the cause with " + secrets);
      cause.addSuppressed(new IllegalArgumentException("suppressed with " + secrets));
      switch (this) {
        case WELL -> {}
        case CHOSEN_FAILURE ->
            throw new CsiException(Status.Code.INTERNAL, "login with " + secrets, cause);
        case GRPC_FAILURE ->
            throw Status.ABORTED
                .withDescription("login with " + secrets)
                .withCause(cause)
                .asRuntimeException();
        case ACCIDENT -> throw new IllegalStateException("login with " + secrets, cause);
        case ERROR -> throw new AssertionError("login with " + secrets, cause);
      }
    }
  }

  private volatile End end = End.WELL;
  private final AtomicInteger seen = new AtomicInteger();
  private final List<String> metrics = new CopyOnWriteArrayList<>();

  /** All secrets and all that may hold tokens, as a careless driver would print them. */
  private void end(Message request) {
    String all = request.toString();
    if (all.contains(CANARY)) {
      seen.incrementAndGet();
    }
    List<String> secrets = new ArrayList<>();
    collect(request, secrets);
    end.act(String.join(" and ", secrets));
  }

  private static void collect(Message message, List<String> secrets) {
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      List<?> values =
          field.getKey().isRepeated() ? (List<?>) field.getValue() : List.of(field.getValue());
      for (Object value : values) {
        if (value instanceof Message nested) {
          collect(nested, secrets);
        } else if (String.valueOf(value).contains(CANARY)) {
          secrets.add(String.valueOf(value));
        }
      }
    }
  }

  private CsiDriver driver() {
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public void getMetadataAllocated(
              GetMetadataAllocatedRequest request,
              ReplyStream<GetMetadataAllocatedResponse> replies,
              CallContext call) {
            end(request);
            super.getMetadataAllocated(request, replies, call);
          }

          @Override
          public void getMetadataDelta(
              GetMetadataDeltaRequest request,
              ReplyStream<GetMetadataDeltaResponse> replies,
              CallContext call) {
            end(request);
            super.getMetadataDelta(request, replies, call);
          }
        }.driver().build();
    for (Rpc rpc : Rpc.values()) {
      if (!rpc.streams()) {
        driver
            .handlers()
            .<Message, Message>decorate(
                rpc,
                handler ->
                    (request, call) -> {
                      end(request);
                      return handler.handle(request, call);
                    });
      }
    }
    return driver;
  }

  private ServedDriver serve() {
    CallListener calls =
        new CallListener() {
          @Override
          public void started(CallContext call) {
            metrics.add(call.id() + call.rpc() + call.peer() + call);
          }

          @Override
          public void finished(CallContext call, Status.Code code, Duration elapsed) {
            metrics.add(call.id() + call.rpc() + call.peer() + call + code + elapsed);
          }
        };
    OperationListener operations =
        new OperationListener() {
          @Override
          public void waited(String rpc, long nanos) {
            metrics.add(rpc);
          }
        };
    return ServedDriver.start(
        driver(),
        builder ->
            builder
                .listener(calls)
                .operations(OperationSettings.defaults().withListener(operations)));
  }

  @Test
  void theRequestsHoldACanaryInEverySecretField() {
    assertThat(REQUESTS).hasSize(Rpc.values().length);
    for (Rpc rpc : Rpc.values()) {
      Message request = request(rpc);
      for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
        if (isSecret(field) || field.getName().equals("volume_context")) {
          assertThat(request.getField(field).toString()).as(field.getFullName()).contains(CANARY);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALL", "FINEST", "FINE", "INFO", "WARNING", "SEVERE"})
  @Proves({"GEN-SEC-005", "GEN-SEC-006"})
  void b021B023NoSecretIsInAnyLogStatusOrMetric(String level) {
    List<String> statuses = new ArrayList<>();
    String log;
    Logger client = Logger.getLogger("io.grpc.netty.NettyClientHandler");
    client.setLevel(Level.INFO);
    try (LogCapture capture = LogCapture.at("", Level.parse(level));
        LogCapture own = LogCapture.at("dev.csijava", Level.parse(level))) {
      try (ServedDriver served = serve()) {
        ManagedChannel channel = served.channel();
        for (End each : End.values()) {
          end = each;
          REQUESTS.forEach((rpc, request) -> statuses.add(call(channel, rpc, request)));
        }
      }
      log = capture.text() + own.text();
    } finally {
      client.setLevel(null);
    }
    assertThat(seen.get()).as("handlers that held secrets").isGreaterThan(90);
    assertThat(log).doesNotContain(CANARY).doesNotContainIgnoringCase(CANARY_AS_BYTES);
    assertThat(statuses).noneMatch(status -> status.contains(CANARY));
    assertThat(statuses).as("the driver's failures").anyMatch(text -> text.contains("login with"));
    assertThat(metrics).isNotEmpty().noneMatch(text -> text.contains(CANARY));
    if (Level.parse(level).intValue() <= Level.FINE.intValue()) {
      assertThat(log).contains("***").contains("response {").contains("the cause with ***");
    }
  }

  /** The status and all that hangs on it. */
  @SuppressWarnings("unchecked")
  private static String call(ManagedChannel channel, Rpc rpc, Message request) {
    MethodDescriptor<Message, Message> method =
        (MethodDescriptor<Message, Message>) (MethodDescriptor<?, ?>) rpc.method();
    try {
      if (rpc.streams()) {
        ClientCalls.blockingServerStreamingCall(channel, method, CallOptions.DEFAULT, request)
            .forEachRemaining(reply -> {});
      } else {
        ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, request);
      }
      return "OK";
    } catch (StatusRuntimeException e) {
      return rpc + " " + e.getStatus() + " " + e.getTrailers();
    }
  }

  @Test
  @Proves("GEN-SEC-005")
  void aCallThatJoinsDoesNotLearnTheSecretsOfTheOneThatRuns() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch joined = new CountDownLatch(1);
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
            started.countDown();
            awaitQuietly(release);
            throw new CsiException(
                Status.Code.INTERNAL,
                "login with " + request.getSecretsOrThrow("password"),
                new IllegalStateException(request.getSecretsOrThrow("password")));
          }
        }.driver().build();
    OperationListener listener =
        new OperationListener() {
          @Override
          public void joined(String rpc) {
            joined.countDown();
          }
        };
    try (LogCapture log = LogCapture.at("dev.csijava", Level.ALL);
        ServedDriver served =
            ServedDriver.start(
                driver,
                builder ->
                    builder.operations(OperationSettings.defaults().withListener(listener)))) {
      CreateVolumeRequest.Builder create = ValidRequests.create();
      var first =
          ControllerGrpc.newFutureStub(served.channel())
              .createVolume(create.putSecrets("password", CANARY).build());
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      var second =
          ControllerGrpc.newFutureStub(served.channel())
              .createVolume(create.putSecrets("password", "another-one").build());
      assertThat(joined.await(10, TimeUnit.SECONDS)).isTrue();
      release.countDown();
      for (var call : List.of(first, second)) {
        Exception failure = catchThrowableOfType(Exception.class, call::get);
        assertThat(failure).hasMessageContaining("login with ***");
      }
      assertThat(log.text()).doesNotContain(CANARY);
    }
  }

  @Test
  void b024HandlersAndCallersSeeTheSameMessagesWithTheLogOnAndOff() {
    for (Level level : List.of(Level.OFF, Level.ALL)) {
      List<CreateVolumeRequest> handled = new CopyOnWriteArrayList<>();
      CsiDriver driver =
          new EveryCapability() {
            @Override
            public CreateVolumeResponse createVolume(
                CreateVolumeRequest request, CallContext call) {
              handled.add(request);
              CreateVolumeResponse.Builder response = super.createVolume(request, call).toBuilder();
              response.getVolumeBuilder().putVolumeContext(TOKENS, CANARY);
              return response.build();
            }
          }.driver().build();
      CreateVolumeRequest request = (CreateVolumeRequest) request(Rpc.CREATE_VOLUME);
      try (LogCapture log = LogCapture.at("dev.csijava", level);
          ServedDriver served = ServedDriver.start(driver)) {
        CreateVolumeResponse response =
            ControllerGrpc.newBlockingStub(served.channel()).createVolume(request);
        assertThat(response.getVolume().getVolumeContextMap()).containsEntry(TOKENS, CANARY);
        assertThat(log.text()).doesNotContain(CANARY);
      }
      assertThat(handled).containsExactly(request);
      assertThat(handled.get(0).toByteString()).isEqualTo(request.toByteString());
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Message request(Rpc rpc) {
    return Objects.requireNonNull(REQUESTS.get(rpc), rpc.title());
  }

  private static Map<Rpc, Message> requests() {
    Map<Rpc, Message> requests = new EnumMap<>(Rpc.class);
    List<Message> all = new ArrayList<>(ValidRequests.minimal());
    all.addAll(ValidRequests.maximal());
    for (Rpc rpc : Rpc.values()) {
      for (Message request : all) {
        String type = request.getDescriptorForType().getName();
        if (type.equals(rpc.title() + "Request")) {
          requests.put(rpc, withCanaries(request));
        }
      }
    }
    return requests;
  }

  private static Message withCanaries(Message request) {
    Message.Builder filled = request.toBuilder();
    for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
      if (isSecret(field) && field.isMapField()) {
        filled.clearField(field);
        put(filled, field, "password", CANARY + "-password");
        put(filled, field, TOKENS, tokens());
      } else if (isSecret(field)) {
        filled.setField(field, CANARY);
      } else if (field.getName().equals("volume_context")) {
        put(filled, field, TOKENS, tokens());
      }
    }
    return filled.build();
  }

  private static String tokens() {
    return "{\"vault\":{\"token\":\"" + CANARY + "-token\",\"expirationTimestamp\":\"later\"}}";
  }

  private static void put(Message.Builder message, FieldDescriptor map, String key, String value) {
    Message entry =
        message
            .newBuilderForField(map)
            .setField(map.getMessageType().findFieldByNumber(1), key)
            .setField(map.getMessageType().findFieldByNumber(2), value)
            .build();
    message.addRepeatedField(map, entry);
  }

  private static boolean isSecret(FieldDescriptor field) {
    return field.getOptions().getExtension(CsiProto.csiSecret);
  }
}
