package dev.csijava.hostpath.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BlockRangesTest {
  private static final int BLOCK = BlockRanges.BLOCK_BYTES;

  private final List<List<BlockMetadata>> messages = new ArrayList<>();

  private BlockRanges ranges(BlockMetadataType type, long size, int most) {
    return new BlockRanges(type, size, most, messages::add);
  }

  private static BlockMetadata tuple(long offset, long size) {
    return BlockMetadata.newBuilder().setByteOffset(offset).setSizeBytes(size).build();
  }

  @Test
  @DisplayName("SMETA-STREAM-006 each block is one tuple, whatever parts of it are told of")
  void fixedTuplesAreBlocks() {
    BlockRanges ranges = ranges(BlockMetadataType.FIXED_LENGTH, 10L * BLOCK, 0);
    ranges.add(1, 2);
    ranges.add(3, BLOCK + 1);
    ranges.add(BLOCK + 5, 2 * BLOCK);
    ranges.add(5 * BLOCK, 6 * BLOCK);
    ranges.finish();
    assertThat(messages)
        .containsExactly(List.of(tuple(0, BLOCK), tuple(BLOCK, BLOCK), tuple(5 * BLOCK, BLOCK)));
  }

  @Test
  @DisplayName("SMETA-STREAM-008 what touches is one range")
  void variableTuplesAreAsLongAsTheyCanBe() {
    BlockRanges ranges = ranges(BlockMetadataType.VARIABLE_LENGTH, 10L * BLOCK, 0);
    ranges.add(1, 2);
    ranges.add(3, BLOCK + 1);
    ranges.add(2 * BLOCK, 3 * BLOCK);
    ranges.add(5 * BLOCK, 6 * BLOCK);
    ranges.finish();
    assertThat(messages).containsExactly(List.of(tuple(0, 3 * BLOCK), tuple(5 * BLOCK, BLOCK)));
  }

  @Test
  void thePartialBlockAtTheEndIsWholeIfFixedAndElseCut() {
    long size = 2L * BLOCK + 100;
    BlockRanges fixed = ranges(BlockMetadataType.FIXED_LENGTH, size, 0);
    fixed.add(2 * BLOCK, size);
    fixed.finish();
    BlockRanges variable = ranges(BlockMetadataType.VARIABLE_LENGTH, size, 0);
    variable.add(BLOCK, size);
    variable.finish();
    assertThat(messages)
        .containsExactly(List.of(tuple(2 * BLOCK, BLOCK)), List.of(tuple(BLOCK, BLOCK + 100)));
  }

  @Test
  @DisplayName("SMETA-STREAM-013, -014 max_results is kept; without it there are as many as in Go")
  void messagesHaveNoMoreTuplesThanAskedFor() {
    BlockRanges three = ranges(BlockMetadataType.FIXED_LENGTH, 7L * BLOCK, 3);
    three.add(0, 7 * BLOCK);
    three.finish();
    assertThat(messages).extracting(List::size).containsExactly(3, 3, 1);
    messages.clear();
    BlockRanges usual = ranges(BlockMetadataType.FIXED_LENGTH, 300L * BLOCK, 0);
    usual.add(0, 300 * BLOCK);
    usual.finish();
    assertThat(messages).extracting(List::size).containsExactly(256, 44);
    messages.clear();
    BlockRanges most = ranges(BlockMetadataType.FIXED_LENGTH, 10_000L * BLOCK, Integer.MAX_VALUE);
    most.add(0, 10_000 * BLOCK);
    most.finish();
    assertThat(messages).extracting(List::size).containsExactly(8192, 1808);
  }

  @Test
  @DisplayName("SMETA-STREAM-015 nothing is one message without tuples")
  void nothingIsOneEmptyMessage() {
    ranges(BlockMetadataType.VARIABLE_LENGTH, BLOCK, 1).finish();
    assertThat(messages).containsExactly(List.of());
    messages.clear();
    BlockRanges exact = ranges(BlockMetadataType.FIXED_LENGTH, BLOCK, 1);
    exact.add(0, 1);
    exact.finish();
    assertThat(messages).containsExactly(List.of(tuple(0, BLOCK)));
  }
}
