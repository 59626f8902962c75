package dev.csijava.testkit.cli;

import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.ProbeResponse;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.DriverCapabilities;
import dev.csijava.testkit.client.StatusText;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.PrintWriter;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints who a driver is and what it can do. */
@Command(
    name = "info",
    description = "Prints a driver's identity, capabilities and node info as a table.",
    mixinStandardHelpOptions = true)
final class InfoCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli fills it in
  private CommandSpec spec;

  @Mixin private final EndpointOption endpoint = new EndpointOption();

  @Option(
      names = "--timeout",
      defaultValue = "10",
      description = "How long to wait for each answer, in seconds. Default: ${DEFAULT-VALUE}")
  private int timeoutSeconds;

  @Override
  public Integer call() {
    try (CsiConnection connection = CsiConnection.to(endpoint.get())) {
      print(ClientInterceptors.intercept(connection.kept(), this::withDeadline));
      return 0;
    } catch (StatusRuntimeException e) {
      spec.commandLine().getErr().println(StatusText.of(e.getStatus()));
      return 1;
    }
  }

  private <Q, A> ClientCall<Q, A> withDeadline(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return next.newCall(method, options.withDeadlineAfter(timeoutSeconds, TimeUnit.SECONDS));
  }

  private void print(Channel channel) {
    GetPluginInfoResponse info =
        IdentityGrpc.newBlockingStub(channel)
            .getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
    row("name", info.getName());
    row("vendor version", info.getVendorVersion());
    new TreeMap<>(info.getManifestMap())
        .forEach((key, value) -> row("manifest", key + "=" + value));
    row("ready", ready(channel));
    DriverCapabilities capabilities = DriverCapabilities.ask(channel, channel);
    for (String kind : new String[] {"plugin", "ctrl", "group", "node"}) {
      row(title(kind), list(capabilities, kind + ":"));
    }
    if (capabilities.has(DriverCapabilities.NODE_SERVICE)) {
      printNode(channel);
    }
  }

  private static String ready(Channel channel) {
    ProbeResponse probe =
        IdentityGrpc.newBlockingStub(channel).probe(ProbeRequest.getDefaultInstance());
    return !probe.hasReady() || probe.getReady().getValue() ? "yes" : "not yet";
  }

  private static String title(String kind) {
    return switch (kind) {
      case "ctrl" -> "controller";
      case "group" -> "group controller";
      default -> kind;
    };
  }

  private static String list(DriverCapabilities capabilities, String prefix) {
    String words =
        capabilities.words().stream()
            .filter(word -> word.startsWith(prefix))
            .map(word -> word.substring(prefix.length()))
            .collect(Collectors.joining("\n"));
    return words.isEmpty() ? "-" : words;
  }

  private void printNode(Channel channel) {
    NodeGetInfoResponse node;
    try {
      node = NodeGrpc.newBlockingStub(channel).nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      row("node id", "- (NodeGetInfo: " + e.getStatus().getCode() + ")");
      return;
    }
    row("node id", node.getNodeId());
    row(
        "volumes per node",
        node.getMaxVolumesPerNode() > 0 ? "at most " + node.getMaxVolumesPerNode() : "no limit");
    String topology =
        new TreeMap<>(node.getAccessibleTopology().getSegmentsMap())
            .entrySet().stream()
                .map(segment -> segment.getKey() + "=" + segment.getValue())
                .collect(Collectors.joining("\n"));
    row("topology", topology.isEmpty() ? "-" : topology);
  }

  private void row(String title, String values) {
    PrintWriter out = spec.commandLine().getOut();
    String first = title;
    for (String value : values.lines().toList()) {
      out.printf("%-18s%s%n", first, value);
      first = "";
    }
    out.flush();
  }
}
