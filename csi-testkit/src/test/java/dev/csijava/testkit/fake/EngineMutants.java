package dev.csijava.testkit.fake;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.ProbeResponse;
import io.grpc.Status;
import io.grpc.Status.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;

/** Drivers with faults that only an engine sees, or that each engine must see. */
enum EngineMutants {
  MAKES_ANOTHER_VOLUME_EACH_TIME(
      "ENGINE-REPLAY-001",
      log ->
          Deviations.request(
              "CreateVolume",
              CreateVolumeRequest.class,
              r -> r.toBuilder().setName(r.getName() + UUID.randomUUID()).build())),
  TIRES_OF_A_CALL("ENGINE-REPLAY-002", log -> tires()),
  FORGETS_AT_A_RESTART("ENGINE-REPLAY-003", log -> new Deviation() {}),
  REFUSES_THE_KEYS_OF_PODS(
      "ENGINE-CALLER-001",
      log ->
          Deviations.refuse(
              "NodePublishVolume",
              NodePublishVolumeRequest.class,
              r -> r.containsVolumeContext("csi.storage.k8s.io/pod.uid"),
              Code.INVALID_ARGUMENT)),
  KNOWS_NO_TOKENS_IN_SECRETS(
      "ENGINE-CALLER-001",
      log ->
          Deviations.refuse(
              "NodePublishVolume",
              NodePublishVolumeRequest.class,
              r -> r.containsSecrets(EngineMutants.TOKENS),
              Code.INVALID_ARGUMENT)),
  COMPARES_TOKENS_IN_SECRETS("ENGINE-CALLER-001", log -> compares(r -> true)),
  COMPARES_TOKENS_OF_INLINE_VOLUMES(
      "ENGINE-CALLER-018",
      log ->
          compares(
              r -> r.getVolumeContextOrDefault("csi.storage.k8s.io/ephemeral", "").equals("true"))),
  TAKES_BACK_ONLY_WHAT_IS_PUBLISHED("ENGINE-CALLER-002", log -> takesBackPublished()),
  TAKES_ONE_POD_FOR_THE_OTHER(
      "ENGINE-CALLER-003",
      log ->
          Deviations.refuseAgain(
              "NodeUnpublishVolume",
              NodeUnpublishVolumeRequest.class,
              NodeUnpublishVolumeRequest::getVolumeId,
              Code.NOT_FOUND)),
  MAKES_VOLUMES_TOO_SMALL(
      "ENGINE-CALLER-004",
      log ->
          Deviations.reply(
              "CreateVolume",
              CreateVolumeResponse.class,
              r -> r.toBuilder().setVolume(r.getVolume().toBuilder().setCapacityBytes(1)).build())),
  KNOWS_NO_KEYS_OF_CLASSES(
      "ENGINE-CALLER-005",
      log ->
          Deviations.refuse(
              "GetCapacity",
              GetCapacityRequest.class,
              r -> r.getParametersCount() > 0,
              Code.INVALID_ARGUMENT)),
  DETACHES_ONLY_WHAT_IS_ATTACHED("ENGINE-CALLER-006", log -> firstDetachFails()),
  LISTS_NO_NODES(
      "ENGINE-CALLER-007",
      log ->
          Deviations.reply("ListVolumes", ListVolumesResponse.class, EngineMutants::withoutNodes)),
  GROWS_A_LITTLE(
      "ENGINE-CALLER-008",
      log ->
          Deviations.reply(
              "ControllerExpandVolume",
              ControllerExpandVolumeResponse.class,
              r -> r.toBuilder().setCapacityBytes(1).build())),
  CHANGES_ATTRIBUTES_ONCE(
      "ENGINE-CALLER-009",
      log ->
          Deviations.refuseAgain(
              "ControllerModifyVolume",
              ControllerModifyVolumeRequest.class,
              ControllerModifyVolumeRequest::getVolumeId,
              Code.ALREADY_EXISTS)),
  CUTS_ANEW(
      "ENGINE-CALLER-010",
      log ->
          Deviations.reply("CreateSnapshot", CreateSnapshotResponse.class, EngineMutants::later)),
  FINDS_ALL_SNAPSHOTS(
      "ENGINE-CALLER-011",
      log ->
          Deviations.request(
              "ListSnapshots",
              ListSnapshotsRequest.class,
              r -> r.toBuilder().clearSnapshotId().build())),
  LEAVES_THE_MEMBERS_OF_GROUPS(
      "ENGINE-CALLER-012",
      log ->
          Deviations.request(
              "DeleteVolumeGroupSnapshot",
              DeleteVolumeGroupSnapshotRequest.class,
              r -> r.toBuilder().setGroupSnapshotId("another").build())),
  ALWAYS_BEGINS_AT_ZERO(
      "ENGINE-CALLER-013",
      log ->
          Deviations.request(
              "GetMetadataDelta",
              GetMetadataDeltaRequest.class,
              r -> r.toBuilder().clearStartingOffset().build())),
  SAYS_NEVER_THAT_IT_IS_READY(
      "ENGINE-CALLER-014",
      log ->
          Deviations.reply(
              "Probe",
              ProbeResponse.class,
              r -> r.toBuilder().setReady(com.google.protobuf.BoolValue.of(false)).build())),
  PUBLISHES_NOTHING_THAT_WAS_WRITTEN_DOWN(
      "ENGINE-CALLER-016",
      log ->
          Deviations.refuse(
              "NodePublishVolume",
              NodePublishVolumeRequest.class,
              r -> r.getVolumeContextOrDefault("csi.storage.k8s.io/pod.name", "").equals("static"),
              Code.INVALID_ARGUMENT)),
  DELETES_NOTHING("ENGINE-CALLER-017", log -> deletesNothing()),
  PUBLISHES_INLINE_VOLUMES_ONCE(
      "ENGINE-CALLER-018",
      log ->
          Deviations.refuseAgain(
              "NodePublishVolume",
              NodePublishVolumeRequest.class,
              r ->
                  r.getVolumeContextOrDefault("csi.storage.k8s.io/ephemeral", "").equals("true")
                      ? r.getTargetPath()
                      : UUID.randomUUID().toString(),
              Code.ALREADY_EXISTS)),
  CALLS_ALL_VOLUMES_ILL(
      "ENGINE-CALLER-019",
      log -> Deviations.reply("ListVolumes", ListVolumesResponse.class, EngineMutants::ill)),
  LOSES_A_VOLUME_WITH_A_SNAPSHOT(
      "ENGINE-MODEL-001",
      log ->
          Deviations.before("DeleteSnapshot", DeleteSnapshotRequest.class, EngineMutants::loseOne)),
  TAKES_SNAPSHOTS_OF_NOTHING(
      "ENGINE-MODEL-001", log -> Deviations.code("CreateSnapshot", Code.NOT_FOUND, Code.UNKNOWN)),
  FALLS_OVER_TWO_CALLS_AT_ONCE("ENGINE-STORM-001", log -> hasty()),
  LOOKS_AT_NO_SIZE(
      "ENGINE-STORM-002",
      log ->
          Deviations.request(
              "CreateVolume",
              CreateVolumeRequest.class,
              r -> r.toBuilder().clearCapacityRange().build())),
  LOSES_A_VOLUME_NOW_AND_THEN(
      "ENGINE-STORM-003",
      log -> Deviations.before("CreateVolume", CreateVolumeRequest.class, (s, r) -> loseOne(s, r))),
  FORGETS_VOLUMES_AT_A_CRASH("ENGINE-CRASH-001", log -> new Deviation() {}),
  FORGETS_STAGINGS_AT_A_CRASH("ENGINE-CRASH-002", log -> new Deviation() {}),
  TELLS_SECRETS_IN_REFUSALS("ENGINE-SECRETS-001", log -> tellsAll()),
  TELLS_TOKENS_IN_REFUSALS("ENGINE-SECRETS-001", log -> tells(r -> r.getVolumeContextMap())),
  TELLS_TOKENS_OF_SECRETS_IN_REFUSALS("ENGINE-SECRETS-001", log -> tells(r -> r.getSecretsMap())),
  LOGS_REQUESTS("GEN-SEC-005", log -> logs(log, "CreateVolume", Message::toString)),
  LOGS_TOKENS_OF_SECRETS("GEN-SEC-005", log -> logsTokens(log, r -> r.getSecretsMap())),
  LOGS_TOKENS("GEN-SEC-006", log -> logsTokens(log, r -> r.getVolumeContextMap())),
  FALLS_OVER_LONG_IDS(
      "ENGINE-HOSTILE-001", log -> falls("ControllerGetVolume", r -> r.toString().length() > 999)),
  FALLS_OVER_NUMBERS(
      "ENGINE-HOSTILE-002",
      log -> falls("ListVolumes", r -> ((ListVolumesRequest) r).getMaxEntries() < 0)),
  TAKES_IDS_FOR_PATHS(
      "ENGINE-HOSTILE-003",
      log ->
          Deviations.afterwards(
              "DeleteVolume", DeleteVolumeRequest.class, EngineMutants::deleteThere)),
  IS_BROKEN_AFTERWARDS("ENGINE-HOSTILE-005", log -> broken());

  private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

  private final String row;

  @SuppressWarnings("ImmutableEnumChecker") // functions without state
  private final Function<Path, Deviation> deviation;

  EngineMutants(String row, Function<Path, Deviation> deviation) {
    this.row = row;
    this.deviation = deviation;
  }

  String row() {
    return row;
  }

  Deviation deviation(Path log) {
    return deviation.apply(log);
  }

  boolean forgets() {
    return name().startsWith("FORGETS");
  }

  private static Deviation tires() {
    AtomicInteger calls = new AtomicInteger();
    return Deviations.end(
        "CreateVolume",
        (request, outcome) ->
            calls.incrementAndGet() == 7 ? Deviations.refusal(Code.ALREADY_EXISTS) : outcome);
  }

  private static Deviation firstDetachFails() {
    Set<String> seen = new HashSet<>();
    return Deviations.refuse(
        "ControllerUnpublishVolume",
        ControllerUnpublishVolumeRequest.class,
        r -> seen.add(r.getVolumeId()),
        Code.INTERNAL);
  }

  private static ListVolumesResponse withoutNodes(ListVolumesResponse all) {
    ListVolumesResponse.Builder without = all.toBuilder();
    without
        .getEntriesBuilderList()
        .forEach(entry -> entry.getStatusBuilder().clearPublishedNodeIds());
    return without.build();
  }

  private static ListVolumesResponse ill(ListVolumesResponse all) {
    ListVolumesResponse.Builder ill = all.toBuilder();
    ill.getEntriesBuilderList()
        .forEach(entry -> entry.getStatusBuilder().getVolumeConditionBuilder().setAbnormal(true));
    return ill.build();
  }

  private static CreateSnapshotResponse later(CreateSnapshotResponse response) {
    CreateSnapshotResponse.Builder later = response.toBuilder();
    later.getSnapshotBuilder().getCreationTimeBuilder().setNanos((int) (System.nanoTime() % 999));
    return later.build();
  }

  private static Deviation deletesNothing() {
    return Deviations.request(
        "DeleteVolume",
        DeleteVolumeRequest.class,
        r -> r.toBuilder().setVolumeId("another-" + r.getVolumeId()).build());
  }

  private static void loseOne(FakeState state, Message request) {
    if (state.volumes.size() > 1) {
      state.volumes.remove(state.volumes.keySet().iterator().next());
    }
  }

  private static Deviation hasty() {
    AtomicLong last = new AtomicLong();
    return Deviations.end(
        "CreateVolume",
        (request, outcome) -> {
          long now = System.nanoTime();
          return now - last.getAndSet(now) < 5_000_000
              ? Deviations.refusal(Code.INTERNAL)
              : outcome;
        });
  }

  private static Deviation tellsAll() {
    return Deviations.end(
        "CreateVolume",
        (request, outcome) ->
            outcome.status().isOk()
                ? outcome
                : Deviation.Outcome.of(
                    Status.INVALID_ARGUMENT.withDescription("wrong: " + request)));
  }

  /** Takes a publication with other tokens in its secrets for another one. */
  private static Deviation compares(Predicate<NodePublishVolumeRequest> which) {
    Map<String, String> known = new HashMap<>();
    return Deviations.refuse(
        "NodePublishVolume",
        NodePublishVolumeRequest.class,
        r -> {
          String tokens = r.getSecretsOrDefault(TOKENS, "");
          return which.test(r)
              && !tokens.isEmpty()
              && !known.merge(r.getTargetPath(), tokens, (old, now) -> old).equals(tokens);
        },
        Code.ALREADY_EXISTS);
  }

  private static Deviation takesBackPublished() {
    return Deviations.refuseWhen(
        "NodeUnpublishVolume",
        NodeUnpublishVolumeRequest.class,
        (state, r) -> {
          FakeVolume volume = state.volumes.get(r.getVolumeId());
          return volume != null && !volume.publications.containsKey(r.getTargetPath());
        },
        Code.NOT_FOUND);
  }

  private static Deviation tells(Function<NodePublishVolumeRequest, Map<String, String>> where) {
    return Deviations.end(
        "NodePublishVolume",
        (request, outcome) ->
            outcome.status().isOk()
                ? outcome
                : Deviation.Outcome.of(
                    Status.INVALID_ARGUMENT.withDescription(
                        "wrong: " + tokens(where, (NodePublishVolumeRequest) request))));
  }

  private static Deviation logsTokens(
      Path log, Function<NodePublishVolumeRequest, Map<String, String>> where) {
    return logs(log, "NodePublishVolume", r -> tokens(where, (NodePublishVolumeRequest) r));
  }

  private static String tokens(
      Function<NodePublishVolumeRequest, Map<String, String>> where, NodePublishVolumeRequest r) {
    return where.apply(r).getOrDefault(TOKENS, "none");
  }

  private static Deviation logs(Path log, String rpc, Function<Message, String> what) {
    return Deviations.end(
        rpc,
        (request, outcome) -> {
          try {
            Files.writeString(log, what.apply(request), StandardOpenOption.APPEND);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return outcome;
        });
  }

  private static Deviation falls(String rpc, Predicate<Message> which) {
    return Deviations.end(
        rpc,
        (request, outcome) -> which.test(request) ? Deviations.refusal(Code.UNKNOWN) : outcome);
  }

  private static void deleteThere(DeleteVolumeRequest request) {
    if (request.getVolumeId().startsWith("/")) {
      try {
        Files.deleteIfExists(Path.of(request.getVolumeId()).resolve("kept"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Deviation broken() {
    AtomicInteger overlong = new AtomicInteger();
    return new Deviation() {
      @Override
      public Outcome end(String called, Message request, Outcome outcome) {
        if (request.getSerializedSize() > 9999) {
          overlong.incrementAndGet();
        }
        return called.equals("Probe") && overlong.get() > 0
            ? Deviations.refusal(Code.FAILED_PRECONDITION)
            : outcome;
      }
    };
  }

  @Override
  public String toString() {
    return row + ": " + name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
