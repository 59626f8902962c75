package dev.csijava.testkit.conformance;

import com.google.common.collect.Iterables;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.testkit.conformance.MetadataStreams.Part;
import dev.csijava.testkit.conformance.MetadataStreams.Stream;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** What holds of both streams of SnapshotMetadata. */
final class MetadataStreamCases implements CaseGroup {
  private static final int FEW = 2;
  private static final int RESUMED = 8;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("SMETA-STREAM-001", MetadataStreamCases::served),
        Case.of("SMETA-STREAM-002", MetadataStreamCases::complete),
        Case.of(
            "SMETA-STREAM-005",
            onEach(
                (c, parts) -> {
                  for (Part part : parts) {
                    boolean known =
                        part.type() == BlockMetadataType.FIXED_LENGTH
                            || part.type() == BlockMetadataType.VARIABLE_LENGTH;
                    c.check(known, "a known block_metadata_type", part.type());
                    c.same("SMETA-STREAM-005", parts.get(0).type(), part.type());
                  }
                })),
        Case.of("SMETA-STREAM-006", MetadataStreamCases::fixedLength),
        Case.of(
            "SMETA-STREAM-007",
            onEach(
                (c, parts) -> {
                  for (Part part : parts) {
                    c.check(part.capacity() > 0, "volume_capacity_bytes", part.capacity());
                    c.same("SMETA-STREAM-007", parts.get(0).capacity(), part.capacity());
                  }
                })),
        Case.of(
            "SMETA-STREAM-008",
            onEach(
                (c, parts) -> parts.forEach(part -> rising(c, "SMETA-STREAM-008", part.tuples())))),
        Case.of(
            "SMETA-STREAM-009", onEach((c, parts) -> rising(c, "SMETA-STREAM-009", all(parts)))),
        Case.of(
            "SMETA-STREAM-010",
            onEach(
                (c, parts) -> {
                  for (BlockMetadata tuple : all(parts)) {
                    c.check(
                        tuple.getSizeBytes() > 0 && tuple.getByteOffset() >= 0,
                        "a size, from 0",
                        tuple);
                  }
                })),
        Case.of("SMETA-STREAM-011", MetadataStreamCases::offsets),
        Case.of("SMETA-STREAM-012", MetadataStreamCases::resumed),
        Case.of("SMETA-STREAM-013", MetadataStreamCases::maxResults),
        Case.of(
            "SMETA-STREAM-014",
            c -> {
              for (Stream stream : MetadataStreams.fresh(c).both()) {
                c.ok(() -> stream.read(0, 0));
                c.ok(() -> stream.read(0, Integer.MAX_VALUE));
              }
            }),
        Case.of("SMETA-STREAM-015", MetadataStreamCases::nothing));
  }

  /** Reads both streams in small messages, and in those of the driver's choice. */
  private static CaseBody onEach(BiConsumer<CaseContext, List<Part>> check) {
    return c -> {
      boolean any = false;
      for (Stream stream : MetadataStreams.fresh(c).both()) {
        for (int max : new int[] {FEW, 0}) {
          List<Part> parts = c.prepare(() -> stream.read(0, max));
          any |= !all(parts).isEmpty();
          check.accept(c, parts);
        }
      }
      c.need(any, "nothing is allocated, so the streams said nothing");
    };
  }

  private static List<BlockMetadata> all(List<Part> parts) {
    return parts.stream().flatMap(part -> part.tuples().stream()).toList();
  }

  private static void served(CaseContext c) {
    String unknown = c.requests().unknownId();
    List<Outcome<?>> outcomes =
        List.of(
            Outcome.of(
                () ->
                    MetadataStreams.allocated(
                        c, GetMetadataAllocatedRequest.newBuilder().setSnapshotId(unknown))),
            Outcome.of(
                () ->
                    MetadataStreams.delta(
                        c,
                        GetMetadataDeltaRequest.newBuilder()
                            .setBaseSnapshotId(unknown)
                            .setTargetSnapshotId(unknown))));
    for (Outcome<?> outcome : outcomes) {
      c.check(outcome.code() != Status.Code.UNIMPLEMENTED, "anything but UNIMPLEMENTED", outcome);
    }
  }

  /** A stream that ended well said the same as another one, cut otherwise. */
  private static void complete(CaseContext c) {
    boolean any = false;
    for (Stream stream : MetadataStreams.fresh(c).both()) {
      List<BlockMetadata> once = c.prepare(() -> stream.tuples(0, 0));
      List<BlockMetadata> again = c.prepare(() -> stream.tuples(0, 1));
      any |= !once.isEmpty() || !again.isEmpty();
      if (any) {
        c.same("SMETA-STREAM-002", ByteRanges.from(0, once), ByteRanges.from(0, again));
      }
    }
    c.need(any, "nothing is allocated, so the streams said nothing");
  }

  private static void fixedLength(CaseContext c) {
    boolean any = false;
    for (Stream stream : MetadataStreams.fresh(c).both()) {
      List<Part> parts = c.prepare(() -> stream.read(0, FEW));
      c.need(
          parts.stream().allMatch(part -> part.type() == BlockMetadataType.FIXED_LENGTH),
          "the driver's tuples are of variable length");
      Set<Long> sizes = new LinkedHashSet<>();
      all(parts).forEach(tuple -> sizes.add(tuple.getSizeBytes()));
      any |= !sizes.isEmpty();
      c.check(sizes.size() <= 1, "one size in the whole stream", sizes);
    }
    c.need(any, "nothing is allocated, so the streams said nothing");
  }

  private static void rising(CaseContext c, String row, List<BlockMetadata> tuples) {
    for (int i = 1; i < tuples.size(); i++) {
      BlockMetadata before = tuples.get(i - 1);
      BlockMetadata tuple = tuples.get(i);
      c.check(
          row,
          tuple.getByteOffset() >= before.getByteOffset() + before.getSizeBytes()
              && tuple.getByteOffset() > before.getByteOffset(),
          "an offset behind the tuple before",
          before + " then " + tuple);
    }
    if (tuples.size() < 2) {
      c.note(row, "a stream had fewer than two tuples");
    } else {
      c.check(row, true, "", "");
    }
  }

  /** Offsets at, before and behind borders of tuples. */
  private static List<Long> places(List<BlockMetadata> tuples, long size) {
    Set<Long> places = new LinkedHashSet<>(List.of(0L, 1L, size / 2, size - 1));
    for (BlockMetadata tuple : Iterables.limit(tuples, RESUMED)) {
      long end = tuple.getByteOffset() + tuple.getSizeBytes();
      places.addAll(List.of(tuple.getByteOffset(), tuple.getByteOffset() + 1, end - 1, end));
    }
    places.removeIf(place -> place < 0 || place >= size);
    return List.copyOf(places);
  }

  private static void offsets(CaseContext c) {
    MetadataStreams streams = MetadataStreams.fresh(c);
    for (Stream stream : streams.both()) {
      List<BlockMetadata> full = c.prepare(() -> stream.tuples(0, 0));
      for (long place : places(full, streams.size())) {
        List<BlockMetadata> rest = c.ok(() -> stream.tuples(place, FEW));
        if (!rest.isEmpty()) {
          BlockMetadata first = rest.get(0);
          c.check(
              first.getByteOffset() + first.getSizeBytes() > place,
              "a first tuple that ends beyond " + place,
              first);
        }
      }
    }
  }

  private static void resumed(CaseContext c) {
    MetadataStreams streams = MetadataStreams.fresh(c);
    for (Stream stream : streams.both()) {
      List<BlockMetadata> full = c.prepare(() -> stream.tuples(0, 0));
      for (long place : places(full, streams.size())) {
        List<BlockMetadata> joined = new ArrayList<>();
        for (BlockMetadata tuple : full) {
          if (tuple.getByteOffset() < place) {
            long end = Math.min(place, tuple.getByteOffset() + tuple.getSizeBytes());
            joined.add(tuple.toBuilder().setSizeBytes(end - tuple.getByteOffset()).build());
          }
        }
        ByteRanges rest = ByteRanges.from(place, c.ok(() -> stream.tuples(place, FEW)));
        rest.ranges()
            .forEach(
                range ->
                    joined.add(
                        BlockMetadata.newBuilder()
                            .setByteOffset(range.start())
                            .setSizeBytes(range.end() - range.start())
                            .build()));
        c.same("SMETA-STREAM-012", ByteRanges.from(0, full), ByteRanges.from(0, joined));
      }
    }
  }

  private static void maxResults(CaseContext c) {
    for (Stream stream : MetadataStreams.fresh(c).both()) {
      for (int max = 1; max <= 3; max++) {
        int most = max;
        for (Part part : c.ok(() -> stream.read(0, most))) {
          c.check(
              part.tuples().size() <= most, "at most " + most + " tuples", part.tuples().size());
        }
      }
    }
  }

  private static void nothing(CaseContext c) {
    MetadataStreams streams = MetadataStreams.fresh(c);
    Stream same = new MetadataStreams(c, streams.target(), streams.target()).delta();
    Outcome<List<Part>> outcome = Outcome.of(() -> same.read(0, 0));
    c.need(
        outcome.code() != Status.Code.INVALID_ARGUMENT,
        "the driver compares no snapshot with itself");
    c.judge("SMETA-STREAM-015", outcome, true);
    if (outcome.ok()) {
      c.same("SMETA-STREAM-015", List.of(), all(outcome.answer()));
    }
  }
}
