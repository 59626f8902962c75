package dev.csijava.hostpath.copy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/** Copies with cp(1), which knows holes and reflinks, and flushes with sync(1). */
public final class ProgramFileCopier implements FileCopier {
  @Override
  public void copy(Path from, Path to, Runnable afterCut) throws IOException {
    ProgramTreeCopier.run(
        List.of(
            "cp",
            "--preserve=mode",
            "--no-dereference",
            "--reflink=auto",
            "--sparse=auto",
            "--no-target-directory",
            "--",
            from.toString(),
            to.toString()));
    afterCut.run();
    try (FileChannel copy = FileChannel.open(to, StandardOpenOption.WRITE)) {
      copy.force(true);
    }
  }

  @Override
  public void flush(Path mountPoint) throws IOException {
    ProgramTreeCopier.run(List.of("sync", "--file-system", "--", mountPoint.toString()));
  }

  @Override
  public Optional<Freezer> freezer() {
    return Optional.of(new ProgramFreezer());
  }
}
