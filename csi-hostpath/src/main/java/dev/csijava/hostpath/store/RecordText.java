package dev.csijava.hostpath.store;

import com.google.protobuf.TextFormat;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A record as text: readable by people, and strict when read back. */
final class RecordText {
  /** What this driver writes; a record with a higher one is a newer driver's. */
  static final int SCHEMA_VERSION = 1;

  // Text that was cut at the end of a line would still parse, so a last line says that it is whole.
  private static final String END = "# end of record\n";

  private RecordText() {}

  static byte[] write(Record record) {
    String text = TextFormat.printer().escapingNonAscii(false).printToString(record);
    return ("# csi-hostpath\n" + text + END).getBytes(StandardCharsets.UTF_8);
  }

  static Record read(byte[] bytes, String folder, Record.KindCase kind) throws BadRecordException {
    String text = decode(bytes);
    if (!text.endsWith(END)) {
      throw new BadRecordException("it is empty or cut short");
    }
    Record.Builder builder = Record.newBuilder();
    try {
      TextFormat.getParser().merge(text, builder);
    } catch (TextFormat.ParseException e) {
      throw new BadRecordException("line " + e.getLine() + " can't be read: " + e.getMessage());
    }
    Record record = builder.build();
    check(record, folder, kind);
    return record;
  }

  private static String decode(byte[] bytes) throws BadRecordException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new BadRecordException("it is not text");
    }
  }

  private static void check(Record record, String folder, Record.KindCase kind)
      throws BadRecordException {
    if (record.getSchemaVersion() > SCHEMA_VERSION) {
      throw new BadRecordException(
          "schema version " + record.getSchemaVersion() + " is of a newer driver");
    }
    if (record.getSchemaVersion() < 1
        || record.getId().isEmpty()
        || (record.getName().isEmpty() && !mayBeNameless(record))) {
      throw new BadRecordException("schema_version, id or name is missing");
    }
    if (!record.getFolder().equals(folder)) {
      throw new BadRecordException("it belongs to the folder " + record.getFolder());
    }
    if (record.getKindCase() != kind
        || (record.getBacking() == Backing.BACKING_UNKNOWN && !record.hasGroup())) {
      throw new BadRecordException("it is not the record of a " + kind);
    }
    if ((record.getSizeBytes() <= 0 && !record.hasGroup()) || !record.hasCreated()) {
      throw new BadRecordException("size_bytes or created is missing");
    }
    if ((record.getBacking() == Backing.IMAGE) != record.hasFileSystem()) {
      throw new BadRecordException("file_system is missing, or not that of an image");
    }
  }

  private static boolean mayBeNameless(Record record) {
    return record.getVolume().hasInline() || !record.getSnapshot().getGroupId().isEmpty();
  }
}
