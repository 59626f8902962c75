package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.replies;
import static dev.csijava.testkit.fake.Deviations.request;

import com.google.common.collect.Lists;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Broken streams of block metadata. */
final class MetadataMutants {
  private static final String ALLOCATED = "GetMetadataAllocated";
  private static final String DELTA = "GetMetadataDelta";

  private MetadataMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.of(
            "SMETA-STREAM-001",
            "reports the service, and has no delta",
            () -> Deviations.end(DELTA, (r, outcome) -> Deviations.refusal(Code.UNIMPLEMENTED))),
        Mutant.of(
            "SMETA-STREAM-002",
            "ends well before all is said",
            () -> stream(all -> all.size() > 1 ? all.subList(0, all.size() - 1) : all)),
        Mutant.of(
            "SMETA-STREAM-005",
            "changes its type",
            () ->
                last(
                    m ->
                        m.toBuilder()
                            .setBlockMetadataType(BlockMetadataType.VARIABLE_LENGTH)
                            .build())),
        Mutant.of(
            "SMETA-STREAM-006",
            "has fixed lengths of two sizes",
            () -> last(m -> tuple(m, t -> t.setSizeBytes(8192)))),
        Mutant.of(
            "SMETA-STREAM-007",
            "changes the size of the volume",
            () -> last(m -> m.toBuilder().setVolumeCapacityBytes(1).build())),
        Mutant.of(
            "SMETA-STREAM-008",
            "sends the tuples of a message backwards",
            () ->
                stream(
                    all ->
                        all.stream()
                            .map(
                                m ->
                                    m.toBuilder()
                                        .clearBlockMetadata()
                                        .addAllBlockMetadata(
                                            Lists.reverse(m.getBlockMetadataList()))
                                        .build())
                            .toList())),
        Mutant.of("SMETA-STREAM-009", "sends messages backwards", () -> stream(Lists::reverse)),
        Mutant.of(
                "SMETA-STREAM-009",
                "sends overlapping messages",
                () -> last(m -> tuple(m, t -> t.setByteOffset(t.getByteOffset() - 20 * 4096))))
            .in(Config.EXTENTS),
        Mutant.of(
            "SMETA-STREAM-010",
            "sends an empty tuple",
            () -> last(m -> tuple(m, t -> t.setSizeBytes(0)))),
        Mutant.of("SMETA-STREAM-011", "begins before the offset", MetadataMutants::fromZero),
        Mutant.of("SMETA-STREAM-012", "begins behind the offset", () -> laterStart(BlockMap.BLOCK)),
        Mutant.of(
                "SMETA-STREAM-012", "begins behind the offset, by extents", () -> laterStart(4096))
            .in(Config.EXTENTS),
        Mutant.of(
            "SMETA-STREAM-013",
            "sends what it likes at once",
            () ->
                request(
                    DELTA,
                    GetMetadataDeltaRequest.class,
                    r -> r.toBuilder().clearMaxResults().build())),
        Mutant.of(
            "SMETA-STREAM-014",
            "wants a number of tuples",
            () ->
                Deviations.refuse(
                    ALLOCATED,
                    GetMetadataAllocatedRequest.class,
                    r -> r.getMaxResults() == 0,
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "SMETA-STREAM-015",
            "finds changes where there are none",
            () ->
                Deviations.reply(
                    DELTA,
                    GetMetadataDeltaResponse.class,
                    m ->
                        m.getBlockMetadataCount() > 0
                            ? m
                            : m.toBuilder()
                                .addBlockMetadata(BlockMetadata.newBuilder().setSizeBytes(4096))
                                .build())),
        Mutant.of("SMETA-ALLOC-001", "reads nothing", () -> accept(ALLOCATED, "snapshot_id is")),
        Mutant.of("SMETA-ALLOC-002", "sends -1 tuples", () -> accept(ALLOCATED, "max_results")),
        Mutant.of(
            "SMETA-ALLOC-003",
            "calls an unknown snapshot a wrong argument",
            () -> code(ALLOCATED, Code.NOT_FOUND, Code.INVALID_ARGUMENT)),
        Mutant.of(
            "SMETA-ALLOC-004",
            "reads beyond the end",
            () -> accept(ALLOCATED, "starting_offset is not")),
        Mutant.of("SMETA-DELTA-001", "compares with nothing", () -> accept(DELTA, "is required")),
        Mutant.of(
            "SMETA-DELTA-002",
            "compares different volumes",
            () -> accept(DELTA, "of different volumes")),
        Mutant.of("SMETA-DELTA-002", "looks back", () -> accept(DELTA, "older than the base")),
        Mutant.of("SMETA-DELTA-003", "sends -1 changes", () -> accept(DELTA, "max_results")),
        Mutant.of(
            "SMETA-DELTA-004",
            "compares with unknown snapshots",
            () -> accept(DELTA, "there is no snapshot")),
        Mutant.of(
            "SMETA-DELTA-006",
            "calls an offset beyond the end a wrong argument",
            () -> code(DELTA, Code.OUT_OF_RANGE, Code.INVALID_ARGUMENT)));
  }

  private static Deviation stream(UnaryOperator<List<GetMetadataAllocatedResponse>> change) {
    return replies(ALLOCATED, GetMetadataAllocatedResponse.class, change);
  }

  /** Changes the last message of several. */
  private static Deviation last(UnaryOperator<GetMetadataAllocatedResponse> change) {
    return stream(
        all -> {
          List<GetMetadataAllocatedResponse> changed = new ArrayList<>(all);
          if (changed.size() > 1) {
            changed.set(changed.size() - 1, change.apply(changed.get(changed.size() - 1)));
          }
          return changed;
        });
  }

  private static GetMetadataAllocatedResponse tuple(
      GetMetadataAllocatedResponse message, UnaryOperator<BlockMetadata.Builder> change) {
    return message.toBuilder()
        .setBlockMetadata(0, change.apply(message.getBlockMetadata(0).toBuilder()))
        .build();
  }

  private static Deviation fromZero() {
    return request(
        ALLOCATED,
        GetMetadataAllocatedRequest.class,
        r -> r.toBuilder().setStartingOffset(Math.min(0, r.getStartingOffset())).build());
  }

  private static Deviation laterStart(int bytes) {
    return request(
        ALLOCATED,
        GetMetadataAllocatedRequest.class,
        r ->
            r.getStartingOffset() == 0
                ? r
                : r.toBuilder().setStartingOffset(r.getStartingOffset() + bytes).build());
  }
}
