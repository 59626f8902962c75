package dev.csijava.core;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

/** Which calls share a lane: those that hang together when one volume or one listing hangs. */
final class LaneKeys {
  private LaneKeys() {}

  /** The lane, in words that fit into a sentence; empty for calls that need none. */
  static String of(Call call) {
    Rpc rpc = call.rpc();
    return switch (rpc.effect()) {
      case IDENTITY -> "";
      case READS -> rpc.title();
      case READS_STORAGE -> volumeOr(call, rpc.title());
      case MUTATES -> mutating(call);
    };
  }

  private static String mutating(Call call) {
    return switch (call.rpc()) {
      // Not the volume's lane: a copy that takes an hour must not hold up publish and unpublish.
      case CREATE_SNAPSHOT -> "snapshots of volume " + text(call.request(), "source_volume_id");
      default -> volumeOr(call, "");
    };
  }

  private static String volumeOr(Call call, String otherwise) {
    String id = text(call.request(), "volume_id");
    return id.isEmpty() ? otherwise : "volume " + id;
  }

  private static String text(Message request, String name) {
    FieldDescriptor field = request.getDescriptorForType().findFieldByName(name);
    return field == null ? "" : request.getField(field).toString();
  }
}
