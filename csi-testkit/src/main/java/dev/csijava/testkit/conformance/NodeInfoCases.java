package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** NodeGetCapabilities and NodeGetInfo. */
final class NodeInfoCases implements CaseGroup {
  private static final int LONGEST = 256;
  private static final int LONGEST_FOR_OLD_CALLERS = 128;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "NODE-CAPS-001",
            c ->
                c.ok(
                    () ->
                        c.node()
                            .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance()))),
        Case.of("NODE-CAPS-002", NodeInfoCases::capabilitiesAreServed),
        Case.of("NODE-CAPS-003", NodeInfoCases::finerModes),
        Case.of("NODE-INFO-001", c -> c.ok(() -> info(c))),
        Case.of(
            "NODE-INFO-002",
            c -> {
              NodeGetInfoResponse answer = c.ok(() -> info(c));
              c.check(!answer.getNodeId().isEmpty(), "a node_id", answer);
            }),
        Case.of("NODE-INFO-003", NodeInfoCases::differentNodes),
        Case.of("NODE-INFO-004", c -> length(c, LONGEST)),
        Case.of("NODE-INFO-005", c -> length(c, LONGEST_FOR_OLD_CALLERS)),
        Case.of(
            "NODE-INFO-006",
            c -> {
              NodeGetInfoResponse answer = c.ok(() -> info(c));
              c.check(answer.getMaxVolumesPerNode() >= 0, "no negative number", answer);
            }),
        Case.of(
            "NODE-INFO-007",
            c -> {
              Volume volume = c.make().volume();
              c.ok(
                  () ->
                      c.controller().controllerPublishVolume(c.requests().attach(volume).build()));
            }),
        Case.of(
            "NODE-INFO-008",
            c -> {
              NodeGetInfoResponse answer = c.ok(() -> info(c));
              c.check(!answer.hasAccessibleTopology(), "no accessible_topology", answer);
            }),
        Case.of("NODE-INFO-009", NodeInfoCases::askedOnce),
        Case.of(
            "NODE-INFO-010",
            c -> {
              NodeGetInfoResponse first = c.ok(() -> info(c));
              c.same("NODE-INFO-010", first.getNodeId(), c.ok(() -> info(c)).getNodeId());
            }));
  }

  private static NodeGetInfoResponse info(CaseContext c) {
    return c.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
  }

  /** An empty request is wrong in other ways than by being unknown. */
  @SuppressWarnings("unchecked") // the request is made from the prototype of the method
  private static void capabilitiesAreServed(CaseContext c) {
    for (CsiRpc rpc : CsiRpc.values()) {
      if (rpc.service().equals("Node") && c.driver().serves(rpc)) {
        MethodDescriptor<Message, Message> method =
            (MethodDescriptor<Message, Message>) rpc.method();
        Message empty =
            (Message)
                Objects.requireNonNull(
                    ((MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller())
                        .getMessagePrototype());
        Outcome<Message> outcome =
            Outcome.of(
                () ->
                    ClientCalls.blockingUnaryCall(
                        c.channel("Node"), method, CallOptions.DEFAULT, empty));
        c.check(
            outcome.code() != Status.Code.UNIMPLEMENTED,
            rpc.title() + " is served",
            outcome.toString());
      }
    }
  }

  private static void finerModes(CaseContext c) {
    for (Mode mode : NodeSteps.finerModes(c)) {
      OnNode volume =
          c.make()
              .onNode()
              .attach(
                  c.make().supportedVolume(c.requests().capability(mode), "volumes for " + mode),
                  c.requests().capability(mode));
      if (!volume.stagingPath().isEmpty()) {
        c.ok(() -> NodeSteps.stage(c, volume.stageRequest()));
      }
      c.ok(() -> NodeSteps.publish(c, volume.publishRequest(c.make().onNode().targetPath())));
    }
  }

  private static void differentNodes(CaseContext c) {
    String second = c.settings().secondNodeId().orElse("");
    c.need(!second.isEmpty(), "needs a second node (--second-node-id)");
    NodeGetInfoResponse answer = c.ok(() -> info(c));
    c.check(!answer.getNodeId().equals(second), "another id than " + second, answer);
  }

  private static void length(CaseContext c, int longest) {
    NodeGetInfoResponse answer = c.ok(() -> info(c));
    int bytes = answer.getNodeId().getBytes(StandardCharsets.UTF_8).length;
    c.check(bytes <= longest, "at most " + longest + " bytes", bytes + " bytes");
  }

  /** The kit itself asks once in a run, but for the cases about NodeGetInfo. */
  private static void askedOnce(CaseContext c) {
    OnNode volume = NodeSteps.staged(c);
    c.ok(() -> NodeSteps.publish(c, volume.publishRequest(c.make().onNode().targetPath())));
  }
}
