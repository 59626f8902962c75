package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads off the calls themselves what a case made, so that no case can forget to remove it: also
 * what a driver made in a call that it should have refused, and what a call without a known end may
 * have made. A call is entered before it is sent, so that nothing is lost where nobody waits for
 * its end any more.
 */
final class Ledger {
  private final Map<Entry, Reversal> made = new LinkedHashMap<>();
  private final IdentityHashMap<Object, Message> underWay = new IdentityHashMap<>();
  private final Set<String> notOurs = new LinkedHashSet<>();
  private final Others others;

  /**
   * Empty.
   *
   * @param others what is nobody's of this run, whatever a driver answers
   */
  Ledger(Others others) {
    this.others = others;
  }

  /**
   * What is there, or perhaps is.
   *
   * @param what for people
   * @param request the creation whose end is unknown; nothing where something is surely there
   */
  record Entry(String what, Optional<Message> request) {
    static Entry sure(String what) {
      return new Entry(what, Optional.empty());
    }

    boolean perhaps() {
      return request.isPresent();
    }

    @Override
    public String toString() {
      return perhaps() ? "perhaps " + what : what;
    }
  }

  /** A call is about to be sent; of interest are those that may make something. */
  synchronized void begins(Object call, Message request) {
    if (makes(request)) {
      underWay.put(call, request);
    }
  }

  private static boolean makes(Message request) {
    return Reversal.creation(request).isPresent()
        || request instanceof NodePublishVolumeRequest
        || request instanceof NodeStageVolumeRequest
        || request instanceof ControllerPublishVolumeRequest;
  }

  /** A call has ended, after it was observed. */
  synchronized void ended(Object call) {
    underWay.remove(call);
    notifyAll();
  }

  /** Waits until no such call is under way; whether that is so. */
  synchronized boolean awaitEnd(long untilNanoTime) throws InterruptedException {
    while (!underWay.isEmpty()) {
      long millis = (untilNanoTime - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        return false;
      }
      wait(millis);
    }
    return true;
  }

  /** From now on a call without an end counts as one that nobody hears of again. */
  synchronized void giveUpWaiting() {
    underWay.values().forEach(request -> observe(request, List.of(), Status.CANCELLED));
    underWay.clear();
  }

  synchronized void observe(Message request, List<Message> responses, Status status) {
    boolean unknown = uncertain(status.getCode());
    if (request instanceof NodePublishVolumeRequest r && (status.isOk() || unknown)) {
      if (!r.getStagingTargetPath().isEmpty()) {
        put(staging(r.getStagingTargetPath(), r.getVolumeId()), unknown, Reversal.staging(r));
      }
      put(target(r), unknown, Reversal.target(r));
    } else if (request instanceof NodeStageVolumeRequest r && (status.isOk() || unknown)) {
      put(staging(r.getStagingTargetPath(), r.getVolumeId()), unknown, Reversal.staging(r));
    } else if (request instanceof ControllerPublishVolumeRequest r && (status.isOk() || unknown)) {
      put(attached(r.getVolumeId(), r.getNodeId()), unknown, Reversal.attachment(r));
    } else if (unknown) {
      Reversal.creation(request).ifPresent(again -> made.putIfAbsent(perhaps(request), again));
    } else if (status.isOk() && !responses.isEmpty()) {
      created(request, responses.get(0));
      removed(request);
    } else if (status.isOk()) {
      removed(request);
    }
  }

  /** Whether a call that ended so may have done something, or may still do it. */
  static boolean uncertain(Status.Code code) {
    return switch (code) {
      case DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE, UNKNOWN, INTERNAL -> true;
      default -> false;
    };
  }

  private void put(String what, Reversal reversal) {
    made.putIfAbsent(Entry.sure(what), reversal);
  }

  /**
   * What a call without a known end has made may come behind the one that takes it back in the
   * case, so that only the removal at the end settles it.
   */
  private void put(String what, boolean late, Reversal reversal) {
    put(late ? what + " by a call that was given up" : what, reversal);
  }

  /** Two requests with one name are two entries: nobody knows which of them was served. */
  private static Entry perhaps(Message request) {
    return new Entry(what(request), Optional.of(request));
  }

  private static String what(Message request) {
    if (request instanceof CreateVolumeRequest r) {
      return "volume " + r.getName();
    } else if (request instanceof CreateSnapshotRequest r) {
      return "snapshot " + r.getName();
    } else if (request instanceof CreateVolumeGroupSnapshotRequest r) {
      return "group " + r.getName();
    } else if (request instanceof NodePublishVolumeRequest r) {
      return target(r);
    } else if (request instanceof NodeStageVolumeRequest r) {
      return staging(r.getStagingTargetPath(), r.getVolumeId());
    } else if (request instanceof ControllerPublishVolumeRequest r) {
      return attached(r.getVolumeId(), r.getNodeId());
    }
    throw new IllegalArgumentException(request.getDescriptorForType().getName());
  }

  private void created(Message request, Message response) {
    if (response instanceof CreateVolumeResponse r && !r.getVolume().getVolumeId().isEmpty()) {
      String id = r.getVolume().getVolumeId();
      if (!foreign("CreateVolume", id, others.haveVolume(id))) {
        put("volume " + id, Reversal.volume(id));
      }
      made.remove(perhaps(request));
    } else if (response instanceof CreateSnapshotResponse r
        && !r.getSnapshot().getSnapshotId().isEmpty()) {
      String id = r.getSnapshot().getSnapshotId();
      if (!foreign("CreateSnapshot", id, others.haveSnapshot(id))) {
        put("snapshot " + id, Reversal.snapshot(id));
      }
      made.remove(perhaps(request));
    } else if (response instanceof CreateVolumeGroupSnapshotResponse r
        && !r.getGroupSnapshot().getGroupSnapshotId().isEmpty()) {
      VolumeGroupSnapshot group = r.getGroupSnapshot();
      String id = group.getGroupSnapshotId();
      boolean holdsForeign =
          group.getSnapshotsList().stream().anyMatch(s -> others.haveSnapshot(s.getSnapshotId()));
      if (!foreign("CreateVolumeGroupSnapshot", id, holdsForeign)) {
        put("group " + id, Reversal.group(group));
      }
      made.remove(perhaps(request));
    }
  }

  /** What was there before is not the kit's to remove, though a driver says that it made it. */
  private boolean foreign(String rpc, String id, boolean known) {
    if (known) {
      notOurs.add(rpc + " answered " + id + ", which was there before the run; it was left alone");
    }
    return known;
  }

  /** What the driver took for new and was not, one sentence each. */
  synchronized List<String> notOurs() {
    return List.copyOf(notOurs);
  }

  private void removed(Message request) {
    if (request instanceof DeleteVolumeRequest r) {
      gone("volume " + r.getVolumeId());
    } else if (request instanceof DeleteSnapshotRequest r) {
      gone("snapshot " + r.getSnapshotId());
    } else if (request instanceof DeleteVolumeGroupSnapshotRequest r) {
      gone("group " + r.getGroupSnapshotId());
    } else if (request instanceof NodeUnpublishVolumeRequest r) {
      gone(target(r.getTargetPath(), r.getVolumeId()));
    } else if (request instanceof NodeUnstageVolumeRequest r) {
      gone(staging(r.getStagingTargetPath(), r.getVolumeId()));
    } else if (request instanceof ControllerUnpublishVolumeRequest r) {
      if (r.getNodeId().isEmpty()) {
        String all = attached(r.getVolumeId(), "");
        made.keySet().removeIf(entry -> !entry.perhaps() && entry.what().startsWith(all));
      } else {
        gone(attached(r.getVolumeId(), r.getNodeId()));
      }
    }
  }

  private void gone(String what) {
    made.remove(Entry.sure(what));
  }

  /**
   * Of one volume: OK to a call that names another one, or none that there is, says nothing of what
   * this one has at the path.
   */
  private static String target(String path, String volume) {
    return "target " + path + " of " + volume;
  }

  private static String target(NodePublishVolumeRequest request) {
    return target(request.getTargetPath(), request.getVolumeId());
  }

  private static String staging(String path, String volume) {
    return "staging " + path + " of " + volume;
  }

  private static String attached(String volume, String node) {
    return "attachment of " + volume + " to " + node;
  }

  /** What is to be taken back, the last first. */
  synchronized List<Map.Entry<Entry, Reversal>> latestFirst() {
    List<Map.Entry<Entry, Reversal>> entries = new ArrayList<>();
    made.forEach((entry, reversal) -> entries.add(Map.entry(entry, reversal)));
    Collections.reverse(entries);
    return entries;
  }

  /** What is there, or perhaps is; calls that are under way not included. */
  synchronized Set<Entry> entries() {
    return Set.copyOf(made.keySet());
  }

  /** What was there is not any more. */
  synchronized void settle(Entry entry) {
    made.remove(entry);
  }

  /** What is there, or perhaps is, for people; calls that are under way included. */
  synchronized Set<String> held() {
    Set<String> held = new LinkedHashSet<>();
    made.keySet().forEach(entry -> held.add(entry.toString()));
    underWay.values().forEach(request -> held.add(perhaps(request).toString()));
    return held;
  }
}
