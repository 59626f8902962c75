package dev.csijava.hostpath.admin;

import com.google.protobuf.TextFormat;
import dev.csijava.hostpath.admin.state.ImportPlan;
import dev.csijava.hostpath.disk.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The plan of an import on disk, written before anything is moved, so that another run can finish
 * it or take it back.
 *
 * @param area the folder of the import
 */
record ImportJournal(Path area, Disk disk) {
  private static final String NAME = "plan";
  private static final String END = "# end of plan\n";

  /**
   * The plan of an import that was not finished.
   *
   * @return empty if there is none; so it is too where a crash came before anything was moved
   * @throws RefusedException if it is not to be understood
   */
  Optional<ImportPlan> read() throws IOException, RefusedException {
    Path file = area.resolve(NAME);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    String text = Files.readString(file);
    if (!text.endsWith(END)) {
      throw new RefusedException(file + " is cut short; it was not written by this command");
    }
    try {
      return Optional.of(TextFormat.parse(text, ImportPlan.class));
    } catch (TextFormat.ParseException e) {
      throw new RefusedException(file + " can't be read: " + e.getMessage());
    }
  }

  /** Writes it in the place of an earlier one, on disk when this returns. */
  void write(ImportPlan plan) throws IOException {
    Path fresh = area.resolve(NAME + ".new");
    Files.deleteIfExists(fresh);
    String text = TextFormat.printer().escapingNonAscii(false).printToString(plan) + END;
    disk.write(fresh, text.getBytes(StandardCharsets.UTF_8));
    disk.rename(fresh, area.resolve(NAME));
    disk.syncFolder(area);
  }
}
