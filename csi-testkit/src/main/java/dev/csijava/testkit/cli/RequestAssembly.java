package dev.csijava.testkit.cli;

import com.google.common.base.Splitter;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.Topology;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts flags into the request, by the names of its fields. */
final class RequestAssembly {
  private final Message.Builder request;

  private RequestAssembly(Message.Builder request) {
    this.request = request;
  }

  /**
   * Fills in what was given.
   *
   * @throws IllegalArgumentException with a sentence if the request has no field for a flag, or the
   *     secrets can't be read
   */
  static void fill(Message.Builder request, RequestFlags flags, String rpc) {
    RequestAssembly assembly = new RequestAssembly(request);
    assembly.put("--name", flags.name, "name");
    assembly.put("--size", flags.size, "capacity_range.required_bytes");
    assembly.put("--limit", flags.limit, "capacity_range.limit_bytes");
    assembly.putAll("--capability", flags.capabilities, "volume_capabilities", "volume_capability");
    assembly.putMap("--parameter", flags.parameters, "parameters");
    assembly.putMap("--mutable-parameter", flags.mutableParameters, "mutable_params");
    assembly.putAll(
        "--volume-id", flags.volumeIds, "volume_id", "source_volume_id", "source_volume_ids");
    assembly.put("--node-id", flags.nodeId, "node_id");
    assembly.put("--readonly", flags.readonly ? Boolean.TRUE : null, "readonly");
    assembly.put("--staging-path", flags.stagingPath, "staging_target_path");
    assembly.put(
        "--target-path", flags.targetPath, "target_path", "volume_path", "volume_publish_path");
    assembly.putAll(
        "--snapshot-id", flags.snapshotIds, "snapshot_id", "snapshot_ids", "target_snapshot_id");
    assembly.put("--base-snapshot-id", flags.baseSnapshotId, "base_snapshot_id");
    assembly.put("--group-snapshot-id", flags.groupSnapshotId, "group_snapshot_id");
    assembly.put("--source-volume", flags.sourceVolume, "volume_content_source.volume.volume_id");
    assembly.put(
        "--source-snapshot", flags.sourceSnapshot, "volume_content_source.snapshot.snapshot_id");
    assembly.putMap("--context", flags.context, "volume_context");
    assembly.putMap("--publish-context", flags.publishContext, "publish_context");
    assembly.putAll(
        "--requisite",
        topologies(flags.requisite),
        "accessibility_requirements.requisite",
        "accessible_topology");
    assembly.putAll(
        "--preferred", topologies(flags.preferred), "accessibility_requirements.preferred");
    assembly.put("--max-entries", flags.maxEntries, "max_entries", "max_results");
    assembly.put("--starting-token", flags.startingToken, "starting_token");
    assembly.put("--starting-offset", flags.startingOffset, "starting_offset");
    if (flags.secrets != null) {
      assembly.putMap("--secrets", secrets(flags.secrets, rpc), "secrets");
    }
  }

  /** Of a file for all RPCs, as the checks take it, those of this one; else the whole file. */
  private static Map<String, String> secrets(Path file, String rpc) {
    try {
      return KeyValueFile.flat(file);
    } catch (IllegalArgumentException notFlat) {
      return KeyValueFile.secrets(file).getOrDefault(rpc, Map.of());
    }
  }

  private static @Nullable List<Topology> topologies(@Nullable List<String> texts) {
    return texts == null ? null : texts.stream().map(RequestAssembly::topology).toList();
  }

  private static Topology topology(String text) {
    try {
      return Topology.newBuilder()
          .putAllSegments(Splitter.on(',').withKeyValueSeparator('=').split(text))
          .build();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no topology; write key=value[,key=value...]", e);
    }
  }

  private void put(String flag, @Nullable Object value, String... paths) {
    if (value != null) {
      putAll(flag, List.of(value), paths);
    }
  }

  private void putAll(String flag, @Nullable Collection<?> values, String... paths) {
    if (values == null) {
      return;
    }
    Place place = find(flag, paths);
    for (Object value : values) {
      if (place.field.isRepeated()) {
        place.builder.addRepeatedField(place.field, value);
      } else if (values.size() > 1) {
        throw new IllegalArgumentException(
            type() + " takes one " + flag + ", not " + values.size());
      } else {
        place.builder.setField(place.field, value);
      }
    }
  }

  private void putMap(String flag, @Nullable Map<String, String> values, String path) {
    if (values == null) {
      return;
    }
    Place place = find(flag, path);
    Descriptor entry = place.field.getMessageType();
    values.forEach(
        (key, value) ->
            place.builder.addRepeatedField(
                place.field,
                place
                    .builder
                    .newBuilderForField(place.field)
                    .setField(entry.findFieldByNumber(1), key)
                    .setField(entry.findFieldByNumber(2), value)
                    .build()));
  }

  private record Place(Message.Builder builder, FieldDescriptor field) {}

  /** The first of the paths that the request has. */
  private Place find(String flag, String... paths) {
    for (String path : paths) {
      List<String> names = Splitter.on('.').splitToList(path);
      if (request.getDescriptorForType().findFieldByName(names.get(0)) != null) {
        Message.Builder builder = request;
        for (String name : names.subList(0, names.size() - 1)) {
          builder = builder.getFieldBuilder(builder.getDescriptorForType().findFieldByName(name));
        }
        String last = names.get(names.size() - 1);
        return new Place(builder, builder.getDescriptorForType().findFieldByName(last));
      }
    }
    throw new IllegalArgumentException(type() + " has no field for " + flag);
  }

  private String type() {
    return request.getDescriptorForType().getName();
  }
}
