package dev.csijava.core;

import com.google.protobuf.Descriptors.Descriptor;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import io.grpc.Status;
import java.util.List;

/** Rules of the SnapshotMetadata service: of each message, and of the stream as a whole. */
final class MetadataRules {
  static final Rule SAME_TYPE =
      Rule.ofAnswer("has one block_metadata_type in the whole stream", "SMETA-STREAM-005");
  static final Rule SAME_BLOCK =
      Rule.ofAnswer("has blocks of one size in a FIXED_LENGTH stream", "SMETA-STREAM-006");
  static final Rule SAME_CAPACITY =
      Rule.ofAnswer("has one volume_capacity_bytes in the whole stream", "SMETA-STREAM-007");
  static final Rule RISING =
      Rule.ofAnswer(
          "has ranges in rising order without overlap, across messages too",
          "SMETA-STREAM-008",
          "SMETA-STREAM-009");
  static final Rule INSIDE =
      Rule.ofAnswer("has ranges that start inside the volume", "SMETA-STREAM-010");
  static final Rule AFTER_START =
      Rule.ofAnswer("has a first range that ends beyond starting_offset", "SMETA-STREAM-011");
  static final Rule NOT_TOO_MANY =
      Rule.ofAnswer("has no more ranges in a message than max_results", "SMETA-STREAM-013");

  private MetadataRules() {}

  static void requests(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(GetMetadataAllocatedRequest.getDescriptor())
        .field("snapshot_id", r.required("SMETA-ALLOC-001"))
        .field(
            "starting_offset",
            r.notNegative("SMETA-ALLOC-004").partly().with(Status.Code.OUT_OF_RANGE))
        .field("max_results", r.notNegative("SMETA-ALLOC-002"));
    table
        .on(GetMetadataDeltaRequest.getDescriptor())
        .field("base_snapshot_id", r.required("SMETA-DELTA-001"))
        .field("target_snapshot_id", r.required("SMETA-DELTA-001"))
        .field(
            "starting_offset",
            r.notNegative("SMETA-DELTA-006").partly().with(Status.Code.OUT_OF_RANGE))
        .field("max_results", r.notNegative("SMETA-DELTA-003"));
  }

  static void answers(RuleTable.Builder table) {
    FieldRules r = table.rules();
    message(table, GetMetadataAllocatedResponse.getDescriptor());
    message(table, GetMetadataDeltaResponse.getDescriptor());
    table
        .on(BlockMetadata.getDescriptor())
        .field("byte_offset", r.notNegative("SMETA-STREAM-010"))
        .field("size_bytes", r.required("SMETA-STREAM-010"), r.notNegative("SMETA-STREAM-010"));
  }

  /**
   * The rules that only a stream as a whole can break; {@link MetadataStreamValidator} has them.
   */
  static List<Rule> ofStreams() {
    return List.of(SAME_TYPE, SAME_BLOCK, SAME_CAPACITY, RISING, INSIDE, AFTER_START, NOT_TOO_MANY);
  }

  private static void message(RuleTable.Builder table, Descriptor message) {
    FieldRules r = table.rules();
    table
        .on(message)
        .field("block_metadata_type", r.knownEnum("SMETA-STREAM-005"))
        .field(
            "volume_capacity_bytes",
            r.required("SMETA-STREAM-007"),
            r.notNegative("SMETA-STREAM-007"));
  }
}
