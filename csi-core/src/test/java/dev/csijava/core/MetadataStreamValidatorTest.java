package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import dev.csijava.spec.v1.ProbeRequest;
import io.grpc.Status;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MetadataStreamValidatorTest {
  private static final GetMetadataAllocatedRequest FROM_100 =
      ValidRequests.allocated().setStartingOffset(100).setMaxResults(2).build();

  /** Messages of one stream, the last of which breaks a rule. */
  record Stream(String id, List<Message> messages, String path) {
    static Stream of(String id, String path, Message.Builder... messages) {
      return new Stream(id, Arrays.stream(messages).map(Message.Builder::build).toList(), path);
    }
  }

  private final ResponseValidator messages = new ResponseValidator(Capabilities.ALL);

  static List<Stream> broken() {
    return List.of(
        Stream.of(
            "SMETA-STREAM-005", "block_metadata_type", ValidAnswers.allocated(), fixed(0, 10)),
        Stream.of(
            "SMETA-STREAM-006", "block_metadata[0]", fixed(100, 10), fixed(110, 10), fixed(120, 5)),
        Stream.of(
            "SMETA-STREAM-007",
            "volume_capacity_bytes",
            ValidAnswers.allocated(),
            ValidAnswers.allocated().setVolumeCapacityBytes(1001)),
        Stream.of(
            "SMETA-STREAM-008", "block_metadata[1]", ValidAnswers.allocated(100, 10, 109, 10)),
        Stream.of(
            "SMETA-STREAM-008", "block_metadata[1]", ValidAnswers.allocated(200, 10, 100, 10)),
        Stream.of(
            "SMETA-STREAM-009",
            "block_metadata[0]",
            ValidAnswers.allocated(100, 10),
            ValidAnswers.allocated(),
            ValidAnswers.allocated(100, 10)),
        Stream.of("SMETA-STREAM-010", "block_metadata[0]", ValidAnswers.allocated(1000, 1)),
        Stream.of(
            "SMETA-STREAM-010", "block_metadata[0]", ValidAnswers.allocated(999, Long.MAX_VALUE)),
        Stream.of("SMETA-STREAM-011", "block_metadata[0]", ValidAnswers.allocated(90, 10)),
        Stream.of(
            "SMETA-STREAM-013", "block_metadata", ValidAnswers.allocated(100, 1, 101, 1, 102, 1)));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void messageThatBreaksTheStreamIsInternalAndNamesRequirementAndField(Stream stream) {
    MetadataStreamValidator validator = new MetadataStreamValidator(messages, FROM_100);
    int last = stream.messages().size() - 1;
    stream.messages().subList(0, last).forEach(validator::check);
    CsiException refusal =
        catchThrowableOfType(
            CsiException.class, () -> validator.check(stream.messages().get(last)));
    assertThat(refusal.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(refusal)
        .hasMessageContaining(stream.id())
        .hasMessageContaining("because " + stream.path() + " ");
  }

  @Test
  void streamInOrderPasses() {
    MetadataStreamValidator validator = new MetadataStreamValidator(messages, FROM_100);
    validator.check(ValidAnswers.allocated(50, 51, 101, 1).build());
    validator.check(ValidAnswers.allocated().build());
    // The last block may reach beyond the end of the volume.
    validator.check(ValidAnswers.allocated(102, 1, 990, 100).build());
  }

  @Test
  void streamWithoutAnythingPasses() {
    MetadataStreamValidator validator =
        new MetadataStreamValidator(messages, ValidRequests.delta().build());
    validator.check(
        GetMetadataDeltaResponse.newBuilder()
            .setBlockMetadataType(BlockMetadataType.VARIABLE_LENGTH)
            .setVolumeCapacityBytes(1)
            .build());
  }

  @Test
  void singleMessageIsCheckedToo() {
    MetadataStreamValidator validator = new MetadataStreamValidator(messages, FROM_100);
    assertThatThrownBy(() -> validator.check(GetMetadataAllocatedResponse.getDefaultInstance()))
        .isInstanceOf(CsiException.class)
        .hasMessageContaining("block_metadata_type");
  }

  @Test
  void otherRequestIsRefused() {
    assertThatThrownBy(
            () -> new MetadataStreamValidator(messages, ProbeRequest.getDefaultInstance()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static GetMetadataAllocatedResponse.Builder fixed(long offset, long size) {
    return ValidAnswers.allocated()
        .setBlockMetadataType(BlockMetadataType.FIXED_LENGTH)
        .addBlockMetadata(BlockMetadata.newBuilder().setByteOffset(offset).setSizeBytes(size));
  }
}
