package dev.csijava.testkit.cli;

import dev.csijava.spec.v1.VolumeCapability;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The fields of requests that people fill in by hand. */
@SuppressWarnings("NullAway.Init") // picocli fills them in
final class RequestFlags {
  @Option(names = "--name", description = "The name of what is made.")
  @Nullable String name;

  @Option(
      names = "--size",
      converter = SizeConverter.class,
      description = "required_bytes, as in 1Gi, 500M or plain bytes.")
  @Nullable Long size;

  @Option(names = "--limit", converter = SizeConverter.class, description = "limit_bytes.")
  @Nullable Long limit;

  @Option(
      names = {"--capability", "--cap"},
      converter = CapabilityText.class,
      description =
          "mode,type[,fs[,flag...]], as in SINGLE_NODE_WRITER,mount,ext4,noatime or 5,block;"
              + " repeatable.")
  @Nullable List<VolumeCapability> capabilities;

  @Option(names = "--parameter", description = "key=value; repeatable.")
  @Nullable Map<String, String> parameters;

  @Option(names = "--mutable-parameter", description = "key=value; repeatable.")
  @Nullable Map<String, String> mutableParameters;

  @Option(names = "--volume-id", description = "A volume, or the source of a snapshot; repeatable.")
  @Nullable List<String> volumeIds;

  @Option(names = "--node-id", description = "A node.")
  @Nullable String nodeId;

  @Option(names = "--readonly", description = "Publish for reading only.")
  boolean readonly;

  @Option(names = "--staging-path", description = "staging_target_path.")
  @Nullable String stagingPath;

  @Option(names = "--target-path", description = "target_path, volume_path, volume_publish_path.")
  @Nullable String targetPath;

  @Option(names = "--snapshot-id", description = "A snapshot; repeatable for groups.")
  @Nullable List<String> snapshotIds;

  @Option(names = "--base-snapshot-id", description = "The older snapshot of GetMetadataDelta.")
  @Nullable String baseSnapshotId;

  @Option(names = "--group-snapshot-id", description = "A group snapshot.")
  @Nullable String groupSnapshotId;

  @Option(names = "--source-volume", description = "The id of the volume to clone.")
  @Nullable String sourceVolume;

  @Option(names = "--source-snapshot", description = "The id of the snapshot to restore.")
  @Nullable String sourceSnapshot;

  @Option(names = "--context", description = "key=value of volume_context; repeatable.")
  @Nullable Map<String, String> context;

  @Option(names = "--publish-context", description = "key=value of publish_context; repeatable.")
  @Nullable Map<String, String> publishContext;

  @Option(names = "--requisite", description = "key=value[,key=value...]: a topology; repeatable.")
  @Nullable List<String> requisite;

  @Option(names = "--preferred", description = "key=value[,key=value...]: a topology; repeatable.")
  @Nullable List<String> preferred;

  @Option(names = "--max-entries", description = "max_entries, max_results.")
  @Nullable Integer maxEntries;

  @Option(names = "--starting-token", description = "Where a listing goes on.")
  @Nullable String startingToken;

  @Option(
      names = "--starting-offset",
      converter = SizeConverter.class,
      description = "Where block metadata begins.")
  @Nullable Long startingOffset;

  @Option(
      names = "--secrets",
      paramLabel = "FILE",
      description =
          "A file with the secrets: JSON or YAML, key: value, or such a map for each RPC.")
  @Nullable Path secrets;
}
