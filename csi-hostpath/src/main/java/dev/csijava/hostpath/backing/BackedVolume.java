package dev.csijava.hostpath.backing;

import dev.csijava.hostpath.state.Record;
import java.nio.file.Path;

/**
 * A volume as a backing sees it.
 *
 * @param record committed
 * @param data where its data lies, absolute
 */
public record BackedVolume(Record record, Path data) {
  /** The size that it has by its record, in bytes. */
  long bytes() {
    return record.getSizeBytes();
  }
}
