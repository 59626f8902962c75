package dev.csijava.hostpath.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Timestamp;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.Requests;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The text of a record, and the comment that says the same for machines. */
class RecordTextTest {
  private static final Record RECORD =
      Record.newBuilder()
          .setSchemaVersion(1)
          .setId("vol-1")
          .setName("one, größe")
          .setFolder("vol-1")
          .setSizeBytes(1024)
          .setCreated(Timestamp.newBuilder().setSeconds(1))
          .setBacking(Backing.DIRECTORY)
          .setVolume(VolumeDetails.newBuilder().setRequest(Requests.create("one")))
          .build();

  private static Record read(byte[] bytes) throws BadRecordException {
    return RecordText.read(bytes, "vol-1", Record.KindCase.VOLUME);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text() {
    return new String(RecordText.write(RECORD), StandardCharsets.UTF_8);
  }

  @Test
  void whatIsWrittenIsReadWithoutParsingItsText() throws BadRecordException {
    assertThat(RecordText.quick(RecordText.write(RECORD))).isEqualTo(RECORD);
    assertThat(read(RecordText.write(RECORD))).isEqualTo(RECORD);
  }

  @Test
  void whatSomebodyHasEditedCounts() throws BadRecordException {
    byte[] edited = bytes(text().replace("size_bytes: 1024", "size_bytes: 2048"));

    assertThat(RecordText.quick(edited)).isNull();
    assertThat(read(edited)).isEqualTo(RECORD.toBuilder().setSizeBytes(2048).build());
  }

  @Test
  void theTextIsEnough() throws BadRecordException {
    String without = text().replaceAll("(?m)^# the same .*\n", "");

    assertThat(without).isNotEqualTo(text());
    assertThat(read(bytes(without))).isEqualTo(RECORD);
  }

  @Test
  void whereverAByteIsWrongTheCommentIsNotBelieved() {
    byte[] good = RecordText.write(RECORD);
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 1;
      assertThat(RecordText.quick(bad)).as("byte %s", i).isNull();
    }
    for (int length = 0; length < good.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(good, length);
      assertThat(RecordText.quick(cut)).as("%s bytes", length).isNull();
    }
  }

  @Test
  void aFieldThatIsNotKnownIsFoundWhateverTheCommentSays() {
    byte[] newer = bytes(text().replace("schema_version: 1", "schema_version: 1\nx: true"));

    assertThatThrownBy(() -> read(newer)).isInstanceOf(BadRecordException.class);
  }
}
