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
      case CREATES -> idOr(call, "snapshots of volume ", "source_volume_id", "");
      case MUTATES -> volumeOr(call, "");
    };
  }

  private static String volumeOr(Call call, String otherwise) {
    return idOr(call, "volume ", "volume_id", otherwise);
  }

  private static String idOr(Call call, String kind, String field, String otherwise) {
    String id = text(call.request(), field);
    return id.isEmpty() ? otherwise : kind + id;
  }

  private static String text(Message request, String name) {
    FieldDescriptor field = request.getDescriptorForType().findFieldByName(name);
    return field == null ? "" : request.getField(field).toString();
  }
}
