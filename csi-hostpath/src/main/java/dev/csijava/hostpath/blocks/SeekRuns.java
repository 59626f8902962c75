package dev.csijava.hostpath.blocks;

import dev.csijava.nativeio.OpenFile;
import java.io.IOException;
import java.util.Optional;

/** By lseek(2), which every file system answers: data and holes, and no more. */
final class SeekRuns implements Runs {
  private final OpenFile file;
  private final long end;
  private long at;

  SeekRuns(OpenFile file, long start, long end) {
    this.file = file;
    this.at = start;
    this.end = end;
  }

  @Override
  public Optional<Run> next() throws IOException {
    if (at >= end) {
      return Optional.empty();
    }
    long from = at;
    long data = Math.min(file.nextData(from).orElse(end), end);
    if (data > from) {
      at = data;
      return Optional.of(Run.hole(from, at));
    }
    at = Math.min(file.nextHole(from), end);
    return Optional.of(Run.data(from, at));
  }
}
