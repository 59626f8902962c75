package dev.csijava.hostpath.store;

import com.google.protobuf.TextFormat;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Gives a volume whose record is lost a record again. The old one, however broken, is kept beside
 * it. The caller has locked the state directory.
 */
public final class Adoption {
  private static final String KEPT = "record.quarantined";

  private final Disk disk;

  /**
   * @param disk writes the record
   */
  public Adoption(Disk disk) {
    this.disk = disk;
  }

  /**
   * What can still be read of the old record of a volume, up to the first mistake.
   *
   * @param folder of the volume, absolute
   * @return nothing at all if it is a newer driver's
   */
  public Record remains(Path folder) {
    Record.Builder found = Record.newBuilder();
    try {
      String text = Files.readString(folder.resolve(RecordFile.NAME), StandardCharsets.UTF_8);
      TextFormat.Parser.newBuilder().setAllowUnknownFields(true).build().merge(text, found);
    } catch (IOException e) {
      // What was read before the mistake is in the builder.
    }
    Record record = found.build();
    boolean usable = record.hasVolume() && record.getSchemaVersion() <= RecordText.SCHEMA_VERSION;
    return usable ? record : Record.getDefaultInstance();
  }

  /**
   * Writes a record, on disk when this returns.
   *
   * @param folder of the volume, absolute
   * @param draft all but folder and schema version
   * @return the record
   * @throws IOException if it would not be served, or the disk refuses; then the old one is in
   *     force or kept beside
   */
  public Record adopt(Path folder, Record draft) throws IOException {
    Record record =
        draft.toBuilder()
            .setSchemaVersion(RecordText.SCHEMA_VERSION)
            .setFolder(folder.getFileName().toString())
            .build();
    byte[] text = RecordText.write(record);
    try {
      Record same = RecordText.read(text, record.getFolder(), Record.KindCase.VOLUME);
      if (!same.equals(record)) {
        throw new IOException("the record would read back otherwise");
      }
    } catch (BadRecordException e) {
      throw new IOException("the record would not be served: " + e.getMessage(), e);
    }
    Path file = folder.resolve(RecordFile.NAME);
    Path fresh = folder.resolve(RecordFile.NAME + ".new");
    Files.deleteIfExists(fresh);
    disk.write(fresh, text);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      disk.rename(file, freeName(folder));
    }
    disk.rename(fresh, file);
    disk.syncFolder(folder);
    return record;
  }

  private static Path freeName(Path folder) {
    Path name = folder.resolve(KEPT);
    for (int i = 2; Files.exists(name, LinkOption.NOFOLLOW_LINKS); i++) {
      name = folder.resolve(KEPT + "-" + i);
    }
    return name;
  }
}
