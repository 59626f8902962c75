package dev.csijava.core.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records are replaced whole, or not at all (K7). */
class CreateRecordsTest {
  @TempDir private Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aRecordIsMadeAndReplacedAndNothingElseIsLeft() throws IOException {
    Path record = directory.resolve("volume");
    CreateRecords.commit(record, bytes("the first contents"));
    assertThat(record).hasContent("the first contents");

    // What a crash left of an earlier one is in nobody's way.
    Files.writeString(directory.resolve(".volume"), "half of something longer than what comes");
    CreateRecords.commit(record, bytes("second"));

    assertThat(record).hasContent("second");
    assertThat(directory).isDirectoryNotContaining(file -> !file.equals(record));
  }

  @Test
  void whereItCannotBeReplacedTheOldContentsStay() throws IOException {
    Path taken = directory.resolve("taken");
    Files.createDirectories(taken.resolve("by-a-folder"));

    assertThatIOException().isThrownBy(() -> CreateRecords.commit(taken, bytes("new")));

    assertThat(taken.resolve("by-a-folder")).isDirectory();
    assertThat(directory.resolve(".taken")).doesNotExist();
    assertThatIOException().isThrownBy(() -> CreateRecords.sync(directory.resolve("none")));
  }
}
