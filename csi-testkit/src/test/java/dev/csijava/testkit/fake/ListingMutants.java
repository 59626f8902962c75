package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.reply;
import static dev.csijava.testkit.fake.Deviations.request;

import com.google.protobuf.Int64Value;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetCapacityResponse;
import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import io.grpc.Status.Code;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Drivers that tell wrong things of themselves and their volumes. */
final class ListingMutants {
  private static final String LIST = "ListVolumes";
  private static final String GET = "ControllerGetVolume";
  private static final String VALIDATE = "ValidateVolumeCapabilities";
  private static final String CAPACITY = "GetCapacity";
  private static final String INFO = "GetPluginInfo";

  private ListingMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.of("CTRL-LISTVOL-001", "lists nothing", () -> absent(LIST)),
        Mutant.of(
            "CTRL-LISTVOL-002",
            "misses one",
            () ->
                list(
                    l -> {
                      if (l.getEntriesCount() > 1) {
                        l.removeEntries(0);
                      }
                    })),
        Mutant.of(
            "CTRL-LISTVOL-003", "knows no end of a page", () -> asked(r -> r.setMaxEntries(0))),
        Mutant.of("CTRL-LISTVOL-004", "ends too early", () -> list(l -> l.setNextToken(""))),
        Mutant.of(
            "CTRL-LISTVOL-005",
            "lists none where no number is given",
            () ->
                Deviations.end(
                    LIST,
                    (r, outcome) ->
                        ((ListVolumesRequest) r).getMaxEntries() == 0
                            ? Deviation.Outcome.of(ListVolumesResponse.getDefaultInstance())
                            : outcome)),
        Mutant.of("CTRL-LISTVOL-008", "goes on where it was", ListingMutants::goesOn),
        Mutant.of("CTRL-LISTVOL-010", "comes to no end", ListingMutants::endless),
        Mutant.of(
            "CTRL-LISTVOL-016",
            "falls over a list that changes",
            () ->
                refuse(
                    LIST,
                    ListVolumesRequest.class,
                    r -> !r.getStartingToken().isEmpty(),
                    Code.INTERNAL)),
        Mutant.of(
            "CTRL-LISTVOL-006",
            "takes less than nothing",
            () -> accept(LIST, "max_entries must not be negative")),
        Mutant.of(
            "CTRL-LISTVOL-007",
            "skips one between pages",
            () ->
                list(
                    l -> {
                      if (!l.getNextToken().isEmpty()) {
                        l.removeEntries(0);
                      }
                    })),
        Mutant.of(
            "CTRL-LISTVOL-009",
            "takes any token",
            () -> accept(LIST, "starting_token is none of this driver")),
        Mutant.of(
            "CTRL-LISTVOL-011",
            "lists without ids",
            () -> entries(e -> e.getVolumeBuilder().clearVolumeId())),
        Mutant.of("CTRL-LISTVOL-012", "lists without status", () -> entries(e -> e.clearStatus())),
        Mutant.of(
            "CTRL-LISTVOL-013",
            "lists without nodes",
            () -> entries(e -> e.getStatusBuilder().clearPublishedNodeIds())),
        Mutant.of(
            "CTRL-LISTVOL-014",
            "lists without condition",
            () -> entries(e -> e.getStatusBuilder().clearVolumeCondition())),
        Mutant.of(
            "CTRL-LISTVOL-015",
            "lists another context",
            () -> entries(e -> e.getVolumeBuilder().putVolumeContext("more", "of it"))),
        Mutant.of("CTRL-GETVOL-001", "gets nothing", () -> absent(GET)),
        Mutant.of("CTRL-GETVOL-002", "gets no volume", () -> accept(GET, "volume_id is required")),
        Mutant.of("CTRL-GETVOL-003", "gets what is not", () -> accept(GET, "there is no volume")),
        Mutant.of("CTRL-GETVOL-004", "gets no status", () -> got(r -> r.clearStatus())),
        Mutant.of(
            "CTRL-GETVOL-005",
            "gets no condition",
            () -> got(r -> r.getStatusBuilder().clearVolumeCondition())),
        Mutant.of(
            "CTRL-GETVOL-006",
            "gets no nodes",
            () -> got(r -> r.getStatusBuilder().clearPublishedNodeIds())),
        Mutant.of(
            "CTRL-GETVOL-007",
            "gets an old size",
            () -> got(r -> r.getVolumeBuilder().setCapacityBytes(1))),
        Mutant.of("CTRL-DELETE-001", "deletes nothing", () -> absent("DeleteVolume")),
        Mutant.of(
            "CTRL-DELETE-005", "deletes what is in use", () -> accept("DeleteVolume", "is in use")),
        Mutant.of(
            "CTRL-DELETE-010",
            "says it has deleted, and has not",
            () ->
                request(
                    "DeleteVolume",
                    DeleteVolumeRequest.class,
                    r -> r.toBuilder().setVolumeId("another").build())),
        Mutant.of("CTRL-VALIDATE-001", "validates nothing", () -> absent(VALIDATE)),
        Mutant.of(
            "CTRL-VALIDATE-002",
            "validates no volume",
            () -> accept(VALIDATE, "volume_id is required")),
        Mutant.of(
            "CTRL-VALIDATE-003",
            "validates no use",
            () -> accept(VALIDATE, "volume_capabilities is required")),
        Mutant.of(
            "CTRL-VALIDATE-011",
            "says no word why",
            () -> validated(r -> r.setMessage(r.hasConfirmed() ? "" : "x".repeat(200)))),
        Mutant.of("CTRL-VALIDATE-006", "confirms anything", ListingMutants::confirmsAnything),
        Mutant.of("CTRL-VALIDATE-008", "vouches for the unknown", ListingMutants::echoes),
        Mutant.of("CTRL-VALIDATE-009", "confirms any context", ListingMutants::confirmsAnything),
        Mutant.of(
            "CTRL-VALIDATE-009",
            "calls a strange context unknown",
            () -> Deviations.code(VALIDATE, Code.INVALID_ARGUMENT, Code.NOT_FOUND)),
        Mutant.of(
            "CTRL-VALIDATE-010",
            "confirms what was not asked",
            () -> validated(r -> r.getConfirmedBuilder().putParameters("more", "of it"))),
        Mutant.of("CTRL-VALIDATE-012", "says another thing each time", ListingMutants::otherWords),
        Mutant.of(
            "CTRL-CAPACITY-003",
            "has room for what it can't make",
            () ->
                request(
                    CAPACITY,
                    GetCapacityRequest.class,
                    r -> r.toBuilder().clearVolumeCapabilities().build())),
        Mutant.of(
            "CTRL-CAPACITY-003",
            "falls over what it can't make",
            () ->
                Deviations.end(
                    CAPACITY,
                    (r, outcome) ->
                        outcome.replies().stream()
                                .anyMatch(
                                    one -> ((GetCapacityResponse) one).getAvailableCapacity() == 0)
                            ? Deviations.refusal(Code.UNKNOWN)
                            : outcome)),
        Mutant.of(
            "CTRL-CAPACITY-004",
            "knows no parameters",
            () -> refuse(CAPACITY, GetCapacityRequest.class, r -> true, Code.INTERNAL)),
        Mutant.of("CTRL-CAPACITY-001", "has no room for all", () -> absent(CAPACITY)),
        Mutant.of(
                "CTRL-CAPACITY-006",
                "calls a topology an inner fault",
                () -> code(CAPACITY, Code.INVALID_ARGUMENT, Code.INTERNAL))
            .in(Mutant.Config.WITHOUT_TOPOLOGY),
        Mutant.of(
            "CTRL-CAPACITY-005",
            "has the same room everywhere",
            () ->
                request(
                    CAPACITY,
                    GetCapacityRequest.class,
                    r -> r.toBuilder().clearAccessibleTopology().build())),
        Mutant.of(
            "CTRL-CAPACITY-007",
            "has less than nothing",
            () -> room(r -> r.setMaximumVolumeSize(Int64Value.of(-1)))),
        Mutant.of(
            "CTRL-CAPACITY-009",
            "promises too much",
            () -> room(r -> r.setMaximumVolumeSize(Int64Value.of(1L << 60)))),
        Mutant.of("IDENT-INFO-001", "is nobody", () -> absent(INFO)),
        Mutant.of("IDENT-INFO-002", "has no name", () -> told(r -> r.clearName())),
        Mutant.of(
            "IDENT-INFO-003",
            "has a long name",
            () -> told(r -> r.setName("a".repeat(30) + "." + "b".repeat(33)))),
        Mutant.of("IDENT-INFO-004", "ends in a dash", () -> told(r -> r.setName("fake.dev-"))),
        Mutant.of("IDENT-INFO-005", "has an empty label", () -> told(r -> r.setName("fake..dev"))),
        Mutant.of("IDENT-INFO-007", "has no version", () -> told(r -> r.clearVendorVersion())));
  }

  private static Deviation absent(String rpc) {
    return refuse(rpc, Message.class, r -> true, Code.UNIMPLEMENTED);
  }

  /** Begins where the last page ended that it handed a token out for. */
  private static Deviation goesOn() {
    AtomicReference<String> last = new AtomicReference<>("");
    Deviation begins =
        asked(
            r -> {
              if (r.getStartingToken().isEmpty() && r.getMaxEntries() == 0) {
                r.setStartingToken(last.get());
              }
            });
    Deviation ends =
        list(
            r -> {
              if (!r.getNextToken().isEmpty()) {
                last.set(r.getNextToken());
              }
            });
    return Deviations.both(begins, ends);
  }

  private static Deviation endless() {
    return Deviations.end(
        LIST,
        (r, outcome) -> {
          String token = ((ListVolumesRequest) r).getStartingToken();
          if (!outcome.status().isOk() || token.isEmpty()) {
            return outcome;
          }
          ListVolumesResponse.Builder same =
              ((ListVolumesResponse) outcome.replies().get(0)).toBuilder();
          return Deviation.Outcome.of(same.setNextToken(token).build());
        });
  }

  private static Deviation confirmsAnything() {
    return Deviations.end(
        VALIDATE, (r, outcome) -> confirmed((ValidateVolumeCapabilitiesRequest) r));
  }

  private static Deviation echoes() {
    return Deviations.end(
        VALIDATE,
        (r, outcome) ->
            outcome.status().isOk() ? confirmed((ValidateVolumeCapabilitiesRequest) r) : outcome);
  }

  private static Deviation.Outcome confirmed(ValidateVolumeCapabilitiesRequest asked) {
    ValidateVolumeCapabilitiesResponse.Builder all =
        ValidateVolumeCapabilitiesResponse.newBuilder();
    all.getConfirmedBuilder()
        .addAllVolumeCapabilities(asked.getVolumeCapabilitiesList())
        .putAllVolumeContext(asked.getVolumeContextMap())
        .putAllParameters(asked.getParametersMap());
    return Deviation.Outcome.of(all.build());
  }

  private static Deviation otherWords() {
    AtomicInteger calls = new AtomicInteger();
    return validated(r -> r.setMessage("call " + calls.incrementAndGet()));
  }

  private static Deviation asked(Consumer<ListVolumesRequest.Builder> change) {
    return request(
        LIST,
        ListVolumesRequest.class,
        r -> {
          ListVolumesRequest.Builder changed = r.toBuilder();
          change.accept(changed);
          return changed.build();
        });
  }

  private static Deviation list(Consumer<ListVolumesResponse.Builder> change) {
    return reply(
        LIST,
        ListVolumesResponse.class,
        r -> {
          ListVolumesResponse.Builder changed = r.toBuilder();
          change.accept(changed);
          return changed.build();
        });
  }

  private static Deviation entries(Consumer<ListVolumesResponse.Entry.Builder> change) {
    return list(l -> l.getEntriesBuilderList().forEach(change));
  }

  private static Deviation got(Consumer<ControllerGetVolumeResponse.Builder> change) {
    return reply(
        GET,
        ControllerGetVolumeResponse.class,
        r -> {
          ControllerGetVolumeResponse.Builder changed = r.toBuilder();
          change.accept(changed);
          return changed.build();
        });
  }

  private static Deviation validated(Consumer<ValidateVolumeCapabilitiesResponse.Builder> change) {
    return reply(
        VALIDATE,
        ValidateVolumeCapabilitiesResponse.class,
        r -> {
          ValidateVolumeCapabilitiesResponse.Builder changed = r.toBuilder();
          change.accept(changed);
          return changed.build();
        });
  }

  private static Deviation room(Consumer<GetCapacityResponse.Builder> change) {
    return reply(
        CAPACITY,
        GetCapacityResponse.class,
        r -> {
          GetCapacityResponse.Builder changed = r.toBuilder();
          change.accept(changed);
          return changed.build();
        });
  }

  private static Deviation told(Consumer<GetPluginInfoResponse.Builder> change) {
    return reply(
        INFO,
        GetPluginInfoResponse.class,
        r -> {
          GetPluginInfoResponse.Builder changed = r.toBuilder();
          change.accept(changed);
          return changed.build();
        });
  }
}
