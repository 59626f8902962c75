package dev.csijava.hostpath.store;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TextFormat;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A record as text: readable by people, and strict when read back. A comment has the same in
 * protobuf's encoding, since parsing text is most of what a start with very many records costs. The
 * text is what counts: the comment is used only while a check sum says that nobody has changed
 * either of them, and that whoever wrote it knew the same fields as this driver; a field that is
 * not known is found in text only.
 */
final class RecordText {
  /** What this driver writes; a record with a higher one is a newer driver's. */
  static final int SCHEMA_VERSION = 1;

  // Text that was cut at the end of a line would still parse, so a last line says that it is whole.
  private static final String END = "# end of record\n";

  private static final byte[] END_BYTES = END.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] QUICK =
      "# the same for machines: ".getBytes(StandardCharsets.US_ASCII);

  /** In hexadecimal digits, before the blank and the encoded record. */
  private static final int SUM_DIGITS = 8;

  private RecordText() {}

  static byte[] write(Record record) {
    String text =
        "# csi-hostpath\n" + TextFormat.printer().escapingNonAscii(false).printToString(record);
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    byte[] encoded = Base64.getEncoder().encode(record.toByteArray());
    byte[] sum = sum(plain, plain.length, encoded, 0, encoded.length);
    ByteBuffer all =
        ByteBuffer.allocate(
            plain.length + QUICK.length + SUM_DIGITS + 2 + encoded.length + END_BYTES.length);
    all.put(plain).put(QUICK).put(sum).put((byte) ' ').put(encoded).put((byte) '\n');
    return all.put(END_BYTES).array();
  }

  /** All fields that a record can have; made when the first record is read or written. */
  private static final class KnownFields {
    static final byte[] SUM = sum();

    private static byte[] sum() {
      CRC32C sum = new CRC32C();
      add(Record.getDescriptor().getFile(), new HashSet<>(), sum);
      return ByteBuffer.allocate(Long.BYTES).putLong(sum.getValue()).array();
    }

    private static void add(FileDescriptor file, Set<String> seen, CRC32C sum) {
      if (seen.add(file.getName())) {
        sum.update(file.toProto().toByteArray());
        file.getDependencies().forEach(other -> add(other, seen, sum));
      }
    }
  }

  private static byte[] sum(byte[] text, int length, byte[] encoded, int from, int encodedLength) {
    CRC32C sum = new CRC32C();
    sum.update(KnownFields.SUM);
    sum.update(text, 0, length);
    sum.update(encoded, from, encodedLength);
    return HexFormat.of().toHexDigits((int) sum.getValue()).getBytes(StandardCharsets.US_ASCII);
  }

  static Record read(byte[] bytes, String folder, Record.KindCase kind) throws BadRecordException {
    if (bytes.length > RecordFile.LARGEST) {
      throw new BadRecordException("it is too large");
    }
    Record record = quick(bytes);
    if (record == null) {
      record = parsed(bytes);
    }
    check(record, folder, kind);
    return record;
  }

  /** What the comment has; null if there is none, or it is not known to say what the text says. */
  static @Nullable Record quick(byte[] bytes) {
    int end = bytes.length - END_BYTES.length;
    if (end < 1 || !Arrays.equals(bytes, end, bytes.length, END_BYTES, 0, END_BYTES.length)) {
      return null;
    }
    int line = end - 1;
    while (line > 0 && bytes[line - 1] != '\n') {
      line--;
    }
    int sum = line + QUICK.length;
    int encoded = sum + SUM_DIGITS + 1;
    if (encoded >= end
        || bytes[encoded - 1] != ' '
        || bytes[end - 1] != '\n'
        || !Arrays.equals(bytes, line, sum, QUICK, 0, QUICK.length)) {
      return null;
    }
    byte[] should = sum(bytes, line, bytes, encoded, end - 1 - encoded);
    if (!Arrays.equals(bytes, sum, sum + SUM_DIGITS, should, 0, SUM_DIGITS)) {
      return null;
    }
    try {
      return Record.parseFrom(
          Base64.getDecoder().decode(Arrays.copyOfRange(bytes, encoded, end - 1)));
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      return null;
    }
  }

  private static Record parsed(byte[] bytes) throws BadRecordException {
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
    return builder.build();
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
