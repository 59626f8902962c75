package dev.csijava.core;

import com.google.protobuf.Message;
import dev.csijava.core.operation.OperationSettings;
import dev.csijava.core.operation.Operations;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of every call, unary or streaming: log, metrics, error mapping, a thread that may block,
 * capability gate, request validation, operations, handler, response validation. The order is
 * fixed; each step is a class of its own.
 */
final class Pipeline implements AutoCloseable {
  private static final Logger CALLS = LoggerFactory.getLogger("dev.csijava.call");

  private final Pools pools;
  private final Operations operations;
  private final Stage first;

  Pipeline(
      CsiDriver driver,
      List<CallListener> listeners,
      OperationSettings settings,
      int threads,
      int waiting) {
    pools = new Pools(threads, waiting);
    operations = new Operations(settings);
    Stage handler = new HandlerStage(driver.handlers());
    Stage responses =
        new ResponseValidationStage(new ResponseValidator(driver.capabilities()), handler);
    Stage locks = new OperationStage(operations, responses);
    Stage requests = new RequestValidationStage(new RequestValidator(driver.capabilities()), locks);
    Stage gate = new CapabilityStage(driver.handlers(), requests);
    Stage dispatch = new DispatchStage(pools, gate);
    Stage errors = new ErrorStage(CALLS, dispatch);
    Stage metrics = new MetricsStage(listeners, errors);
    first = new LogStage(CALLS, metrics);
  }

  /** All services of CSI; an RPC that is not served is refused with a sentence. */
  List<ServerServiceDefinition> services() {
    Map<String, ServerServiceDefinition.Builder> services = new LinkedHashMap<>();
    for (Rpc rpc : Rpc.values()) {
      services
          .computeIfAbsent(rpc.service(), ServerServiceDefinition::builder)
          .addMethod(method(rpc), new GrpcCallHandler(rpc, first));
    }
    List<ServerServiceDefinition> definitions = new ArrayList<>();
    services.values().forEach(service -> definitions.add(service.build()));
    return definitions;
  }

  /** Waits for work under way, also for work whose caller has gone away. */
  boolean drain(Duration atMost) throws InterruptedException {
    return pools.drain(atMost);
  }

  @Override
  public void close() {
    operations.close();
    pools.close();
  }

  @SuppressWarnings("unchecked")
  private static MethodDescriptor<Object, Message> method(Rpc rpc) {
    MethodDescriptor<? extends Message, ? extends Message> generated = rpc.method();
    return generated.toBuilder(
            new RequestMarshaller(generated.getRequestMarshaller()),
            (MethodDescriptor.Marshaller<Message>) generated.getResponseMarshaller())
        .build();
  }
}
