package dev.csijava.hostpath.store;

import dev.csijava.hostpath.disk.DiskErrors;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What lies in a state directory, read without its lock and without changing anything, so also
 * while a driver works on it: then an object may come or go meanwhile.
 *
 * @param volumes folders of volumes, sorted
 * @param snapshots folders of snapshots
 * @param groups folders of groups
 * @param pending what is being made, or was when a driver died
 * @param trash what is deleted and not yet removed
 */
public record StateListing(
    List<Entry> volumes,
    List<Entry> snapshots,
    List<Entry> groups,
    List<Path> pending,
    List<Path> trash) {
  /**
   * A folder.
   *
   * @param folder absolute
   * @param record what it is; null if that can't be read
   * @param reason why it can't be read; empty if it can
   */
  public record Entry(Path folder, @Nullable Record record, String reason) {
    /** Where its data lies, absolute. */
    public Path data() {
      return folder.resolve(ObjectStore.DATA);
    }
  }

  /**
   * Reads it.
   *
   * @param directory absolute; one that was never used has nothing in it
   */
  public static StateListing read(Path directory) throws IOException {
    Path root = directory.toRealPath();
    return new StateListing(
        entries(root, ObjectKind.VOLUME),
        entries(root, ObjectKind.SNAPSHOT),
        entries(root, ObjectKind.GROUP),
        names(root.resolve(StateDirectory.PENDING)),
        names(root.resolve(StateDirectory.TRASH)));
  }

  static List<Entry> entries(Path root, ObjectKind kind) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (Path folder : names(root.resolve(kind.folder()))) {
      try {
        entries.add(new Entry(folder, RecordFile.read(folder, kind.recordKind()), ""));
      } catch (BadRecordException e) {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
          entries.add(new Entry(folder, null, String.valueOf(e.getMessage())));
        }
      } catch (NoSuchFileException e) {
        // Deleted by the driver meanwhile.
      } catch (IOException e) {
        entries.add(new Entry(folder, null, "its record can't be read: " + DiskErrors.reason(e)));
      }
    }
    return entries;
  }

  private static List<Path> names(Path folder) throws IOException {
    List<Path> names = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(names::add);
    } catch (NoSuchFileException e) {
      return List.of();
    }
    names.sort(null);
    return names;
  }
}
