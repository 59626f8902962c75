package dev.csijava.core;

import com.google.protobuf.Message;
import io.grpc.Status;
import java.util.List;

/**
 * A request that breaks one rule.
 *
 * @param ids the requirements that the rule must name
 * @param path where the sentence must say that it is broken
 */
record RequestCase(
    List<String> ids, Message request, CapabilityView capabilities, Status.Code code, String path) {

  static RequestCase bad(String ids, Message.Builder request, String path) {
    return new RequestCase(
        List.of(ids.split(" ")),
        request.build(),
        Capabilities.ALL,
        Status.Code.INVALID_ARGUMENT,
        path);
  }

  RequestCase with(CapabilityView other) {
    return new RequestCase(ids, request, other, code, path);
  }

  RequestCase with(Status.Code other) {
    return new RequestCase(ids, request, capabilities, other, path);
  }

  @Override
  public String toString() {
    return String.join(" ", ids) + " " + request.getDescriptorForType().getName() + " " + path;
  }
}
