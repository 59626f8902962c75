package dev.csijava.core;

import com.google.protobuf.Message;
import dev.csijava.core.operation.OperationSettings;
import dev.csijava.core.operation.Operations;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pipeline, ended by the handler behind one of its stages, so that a benchmark sees what each
 * stage adds. Lies in this package because stages are nobody else's business.
 */
public final class PartialPipeline implements AutoCloseable {
  private static final Logger CALLS = LoggerFactory.getLogger("dev.csijava.call");
  private static final int THREADS = 32;
  private static final int WAITING = 512;

  private final Pools pools = new Pools(THREADS, WAITING);
  private final Operations operations = new Operations(OperationSettings.defaults());
  private final Stage first;

  /** The last stage before the handler. */
  public enum Depth {
    /** The call's context only; the handler runs on the event loop. */
    CONTEXT,
    /** And the log. */
    LOG,
    /** And metrics, with nobody who listens. */
    METRICS,
    /** And the mapping of errors. */
    ERRORS,
    /** And the thread that may block. */
    THREAD,
    /** And the capability gate. */
    CAPABILITY,
    /** And validation of the request. */
    REQUEST,
    /** And locks, and joining. */
    OPERATION,
    /** And validation of the response: all of it. */
    WHOLE
  }

  private PartialPipeline(CsiDriver driver, Depth depth) {
    Stage stage = new HandlerStage(driver.handlers());
    for (Depth one : List.copyOf(EnumSet.range(Depth.CONTEXT, depth)).reversed()) {
      stage = wrap(one, driver, stage);
    }
    first = stage;
  }

  /** Owns threads; close it. */
  public static PartialPipeline of(CsiDriver driver, Depth depth) {
    return new PartialPipeline(driver, depth);
  }

  private Stage wrap(Depth depth, CsiDriver driver, Stage next) {
    return switch (depth) {
      case CONTEXT -> next;
      case LOG -> new LogStage(CALLS, next);
      case METRICS -> new MetricsStage(List.of(), next);
      case ERRORS -> new ErrorStage(CALLS, next);
      case THREAD -> new DispatchStage(pools, next);
      case CAPABILITY -> new CapabilityStage(driver.handlers(), next);
      case REQUEST -> new RequestValidationStage(new RequestValidator(driver.capabilities()), next);
      case OPERATION -> new OperationStage(operations, next);
      case WHOLE -> new ResponseValidationStage(new ResponseValidator(driver.capabilities()), next);
    };
  }

  /** The Node service, of which NodePublishVolume goes this way. */
  public ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(Rpc.NODE_PUBLISH_VOLUME.service())
        .addMethod(
            method(Rpc.NODE_PUBLISH_VOLUME), new GrpcCallHandler(Rpc.NODE_PUBLISH_VOLUME, first))
        .build();
  }

  /** Serves a service on a Unix socket as the framework does it; returns what ends that. */
  public static AutoCloseable serve(Path socket, ServerServiceDefinition service)
      throws IOException {
    Transport transport =
        Transport.bind(CsiEndpoint.unix(socket), SocketAccess.ownerOnly(), Set.of());
    Server server = transport.start(List.of(service), List.of());
    return () -> {
      server.shutdownNow().awaitTermination();
      transport.close();
    };
  }

  @Override
  public void close() {
    operations.close();
    pools.close();
  }

  @SuppressWarnings("unchecked") // the response of a method is a message
  private static MethodDescriptor<Object, Message> method(Rpc rpc) {
    MethodDescriptor<? extends Message, ? extends Message> generated = rpc.method();
    return generated.toBuilder(
            new RequestMarshaller(generated.getRequestMarshaller()),
            (MethodDescriptor.Marshaller<Message>) generated.getResponseMarshaller())
        .build();
  }
}
