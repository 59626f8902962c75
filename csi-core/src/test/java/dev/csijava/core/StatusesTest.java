package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Message;
import dev.csijava.core.metadata.ReplyStream;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a handler does to a call, its caller gets one status that is fit for it. */
@Timeout(60)
class StatusesTest {
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
  private static final Set<Status.Code> NO_FAILURE_OF_OURS =
      EnumSet.of(Status.Code.OK, Status.Code.UNKNOWN);

  /** How a handler may fail. */
  enum Failure {
    CHOSEN {
      @Override
      void happen() {
        throw CsiException.failedPrecondition("the volume is in use; detach it first");
      }
    },
    STATUS_WITHOUT_SENTENCE {
      @Override
      void happen() {
        throw Status.PERMISSION_DENIED.asRuntimeException();
      }
    },
    STATUS_WITH_A_BLANK_SENTENCE {
      @Override
      void happen() {
        throw Status.ABORTED.withDescription(" \n").asRuntimeException();
      }
    },
    STATUS_WITH_DETAILS {
      @Override
      void happen() {
        Metadata trailers = new Metadata();
        trailers.put(DETAILS, new byte[] {8, 3});
        throw Status.INVALID_ARGUMENT.withDescription("no").asRuntimeException(trailers);
      }
    },
    CHECKED_STATUS {
      @Override
      void happen() {
        throw StatusesTest.<RuntimeException>unchecked(Status.UNAUTHENTICATED.asException());
      }
    },
    STATUS_OK {
      @Override
      void happen() {
        throw Status.OK.asRuntimeException();
      }
    },
    ACCIDENT_WITHOUT_MESSAGE {
      @Override
      void happen() {
        throw new NullPointerException();
      }
    },
    ERROR {
      @Override
      void happen() {
        throw new StackOverflowError();
      }
    };

    abstract void happen();
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E unchecked(Exception e) throws E {
    throw (E) e;
  }

  private static CsiDriver failing(Failure failure) {
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public void getMetadataAllocated(
              GetMetadataAllocatedRequest request,
              ReplyStream<GetMetadataAllocatedResponse> replies,
              CallContext call) {
            super.getMetadataAllocated(request, replies, call);
            failure.happen();
          }

          @Override
          public void getMetadataDelta(
              GetMetadataDeltaRequest request,
              ReplyStream<GetMetadataDeltaResponse> replies,
              CallContext call) {
            failure.happen();
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
                      failure.happen();
                      return handler.handle(request, call);
                    });
      }
    }
    return driver;
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  @Proves({
    "GEN-ERR-001",
    "GEN-ERR-002",
    "GEN-ERR-003",
    "GEN-ERR-004",
    "GEN-ERR-005",
    "SMETA-STREAM-003"
  })
  void everyRpcFailsWithACodeASentenceAndNothingElse(Failure how) {
    try (ServedDriver served = ServedDriver.start(failing(how))) {
      ManagedChannel channel = served.channel();
      for (Rpc rpc : Rpc.values()) {
        StatusRuntimeException failure =
            catchThrowableOfType(StatusRuntimeException.class, () -> WireCalls.send(channel, rpc));
        assertThat(failure).as("%s, which must not succeed", rpc).isNotNull();
        assertThat(failure.getStatus().getCode()).as(rpc.title()).isNotIn(NO_FAILURE_OF_OURS);
        assertThat(failure.getStatus().getDescription()).as(rpc.title()).isNotBlank();
        Metadata trailers = failure.getTrailers();
        assertThat(trailers == null || !trailers.containsKey(DETAILS))
            .as("%s comes without details", rpc)
            .isTrue();
      }
    }
  }

  /** Every letter of these takes more than one byte of a header, and a caller takes 8 KiB. */
  @ParameterizedTest
  @ValueSource(strings = {"no room ", "空き容量がありません", "🦀", "line\n", "100%"})
  @Proves({"GEN-ERR-001", "GEN-ERR-003"})
  void aSentenceThatIsTooLongReachesItsCallerCut(String words) {
    CsiDriver driver = new EveryCapability().driver().build();
    driver
        .handlers()
        .<Message, Message>decorate(
            Rpc.DELETE_VOLUME,
            handler ->
                (request, call) -> {
                  throw CsiException.failedPrecondition(words.repeat(4000));
                });
    try (ServedDriver served = ServedDriver.start(driver)) {
      Status status = WireCalls.call(served.channel(), Rpc.DELETE_VOLUME);
      assertThat(status.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
      assertThat(status.getDescription())
          .startsWith(words)
          .endsWith("...")
          .doesNotContain("\ufffd");
      assertThat(status.getDescription()).hasSizeGreaterThan(450);
    }
  }

  @Test
  void aSecretAtThePlaceOfTheCutIsStruckOutWhole() {
    CsiDriver driver = new EveryCapability().driver().build();
    driver
        .handlers()
        .<DeleteVolumeRequest, Message>decorate(
            Rpc.DELETE_VOLUME,
            handler ->
                (request, call) -> {
                  String secret = request.getSecretsOrThrow("password");
                  throw CsiException.failedPrecondition("x".repeat(5990) + secret);
                });
    try (ServedDriver served = ServedDriver.start(driver)) {
      ControllerGrpc.ControllerBlockingStub controller =
          ControllerGrpc.newBlockingStub(served.channel());
      StatusRuntimeException failure =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () ->
                  controller.deleteVolume(
                      DeleteVolumeRequest.newBuilder()
                          .setVolumeId("v")
                          .putSecrets("password", "canary-in-the-coal-mine")
                          .build()));
      assertThat(failure.getStatus().getDescription()).endsWith("xxx***");
    }
  }
}
