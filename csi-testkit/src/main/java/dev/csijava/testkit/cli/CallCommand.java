package dev.csijava.testkit.cli;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.client.SafeText;
import dev.csijava.testkit.client.StatusText;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes one call; prints the answer as JSON, each message of a stream on a line of its own. */
@Command(
    name = "call",
    description =
        "Calls one RPC of a driver and prints the answer as JSON; a stream message by message."
            + " Exit status 1 and the gRPC code with its sentence when the driver refuses.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class CallCommand implements Callable<Integer> {
  private static final int REFUSED = 1;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli fills it in
  private CommandSpec spec;

  @Mixin private final EndpointOption endpoint = new EndpointOption();

  @Parameters(paramLabel = "RPC", description = "Its name, as in CreateVolume; letter case aside.")
  private String rpc = "";

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "The request as JSON, - for standard input; other flags are added to it.")
  private @Nullable String json;

  @Option(
      names = "--timeout",
      defaultValue = "60",
      description = "How long to wait, in seconds. Default: ${DEFAULT-VALUE}")
  private int timeoutSeconds;

  @Option(
      names = "--show-request",
      description = "Print the request to standard error first, secrets struck out.")
  private boolean showRequest;

  @Mixin private final RequestFlags flags = new RequestFlags();

  @Override
  public Integer call() throws IOException {
    CsiRpc wanted = CsiRpc.named(rpc).orElseThrow(this::unknownRpc);
    Message request = request(wanted.method());
    PrintWriter err = spec.commandLine().getErr();
    if (showRequest) {
      err.println(printer(true).print(SafeText.redacted(request)));
    }
    try (CsiConnection connection = CsiConnection.to(endpoint.get())) {
      return print(connection, wanted, request);
    } catch (StatusRuntimeException e) {
      err.println(SafeText.strike(StatusText.of(e.getStatus()), request));
      return REFUSED;
    }
  }

  private ParameterException unknownRpc() {
    String known =
        Arrays.stream(CsiRpc.values()).map(CsiRpc::title).collect(Collectors.joining(", "));
    return new ParameterException(
        spec.commandLine(), "CSI has no RPC " + rpc + "; there are " + known);
  }

  private Message request(MethodDescriptor<? extends Message, ?> method) throws IOException {
    Message.Builder builder = prototype(method).newBuilderForType();
    try {
      if (json != null) {
        JsonFormat.parser().merge(text(json), builder);
      }
      RequestAssembly.fill(builder, flags, String.valueOf(method.getBareMethodName()));
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    return builder.build();
  }

  private static String text(String json) throws IOException {
    return json.equals("-")
        ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
        : Files.readString(Path.of(json));
  }

  private static Message prototype(MethodDescriptor<? extends Message, ?> method) {
    return (Message)
        Objects.requireNonNull(
            ((MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller())
                .getMessagePrototype());
  }

  @SuppressWarnings("unchecked") // the request was made from the prototype of this very method
  private int print(CsiConnection connection, CsiRpc wanted, Message request) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeoutSeconds, TimeUnit.SECONDS);
    Iterator<Message> answers =
        ClientCalls.blockingServerStreamingCall(
            connection.kept(),
            (MethodDescriptor<Message, Message>) wanted.method(),
            options,
            request);
    while (answers.hasNext()) {
      out.println(printer(!wanted.streams()).print(answers.next()));
      out.flush();
    }
    return 0;
  }

  private static JsonFormat.Printer printer(boolean readable) {
    JsonFormat.Printer printer = JsonFormat.printer().alwaysPrintFieldsWithNoPresence();
    return readable ? printer : printer.omittingInsignificantWhitespace();
  }
}
