package dev.csijava.hostpath.admin;

import com.google.protobuf.Timestamp;
import dev.csijava.hostpath.admin.state.GoGroup;
import dev.csijava.hostpath.admin.state.GoSnapshot;
import dev.csijava.hostpath.admin.state.GoTime;
import dev.csijava.hostpath.admin.state.GoVolume;
import dev.csijava.hostpath.ephemeral.PodDirectory;
import dev.csijava.hostpath.state.Attachment;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.GroupDetails;
import dev.csijava.hostpath.state.InlineDetails;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.SnapshotDetails;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.Incoming;
import java.nio.file.FileSystem;
import java.time.Instant;
import java.util.List;

/**
 * Records of what the Go driver made: its ids beside folder names of our own. What its state does
 * not say, above all the request, stays unset.
 *
 * @param fileSystem of the paths
 * @param now the creation time of what has none
 */
record ForeignRecords(FileSystem fileSystem, Instant now) {
  /** A record needs a size; any request fits this one. */
  private static final long SMALLEST = 1;

  Record volume(GoVolume volume, Backing backing, long bytes) throws RefusedException {
    VolumeDetails.Builder details = VolumeDetails.newBuilder().setCapacityKind(volume.getKind());
    if (volume.getAttached() && !volume.getNodeId().isEmpty()) {
      details.addAttachments(
          Attachment.newBuilder()
              .setNodeId(volume.getNodeId())
              .setReadonly(volume.getReadOnlyAttach()));
    }
    if (!volume.getParentSnapshotId().isEmpty()) {
      details.getSourceBuilder().getSnapshotBuilder().setSnapshotId(volume.getParentSnapshotId());
    } else if (!volume.getParentVolumeId().isEmpty()) {
      details.getSourceBuilder().getVolumeBuilder().setVolumeId(volume.getParentVolumeId());
    }
    Record.Builder record =
        Record.newBuilder()
            .setId(volume.getId())
            .setBacking(backing)
            .setSizeBytes(Math.max(SMALLEST, bytes))
            .setCreated(time(now));
    if (volume.getEphemeral()) {
      details.setInline(inline(volume));
    } else if (volume.getName().isEmpty()) {
      throw new RefusedException("it has no name");
    } else {
      record.setName(volume.getName());
    }
    return Incoming.whole(record.setVolume(details).build());
  }

  private InlineDetails inline(GoVolume volume) {
    InlineDetails.Builder inline = InlineDetails.newBuilder();
    if (volume.getPublishedCount() > 0) {
      String target = volume.getPublished(0);
      inline.setTargetPath(target);
      PodDirectory.of(fileSystem.getPath(target))
          .ifPresent(pod -> inline.setPodDirectory(pod.toString()));
    }
    return inline.build();
  }

  Record snapshot(GoSnapshot snapshot, Backing backing, long bytes, boolean member)
      throws RefusedException {
    SnapshotDetails.Builder details =
        SnapshotDetails.newBuilder().setSourceVolumeId(snapshot.getVolumeId());
    Record.Builder record =
        Record.newBuilder()
            .setId(snapshot.getId())
            .setBacking(backing)
            .setSizeBytes(Math.max(SMALLEST, bytes))
            .setCreated(time(snapshot.getCreated()));
    if (member) {
      details.setGroupId(snapshot.getGroupId());
    } else if (snapshot.getName().isEmpty()) {
      throw new RefusedException("it has no name");
    } else {
      record.setName(snapshot.getName());
    }
    return Incoming.whole(record.setSnapshot(details).build());
  }

  Record group(GoGroup group, List<String> members) throws RefusedException {
    if (group.getName().isEmpty()) {
      throw new RefusedException("it has no name");
    }
    return Incoming.whole(
        Record.newBuilder()
            .setId(group.getId())
            .setName(group.getName())
            .setCreated(time(group.getCreated()))
            .setGroup(GroupDetails.newBuilder().addAllSnapshotIds(members))
            .build());
  }

  private static Timestamp time(GoTime time) {
    return Timestamp.newBuilder().setSeconds(time.getSeconds()).setNanos(time.getNanos()).build();
  }

  private static Timestamp time(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }
}
