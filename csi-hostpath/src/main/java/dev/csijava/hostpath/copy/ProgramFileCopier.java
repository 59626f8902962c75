package dev.csijava.hostpath.copy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Copies with cp(1), which knows holes and reflinks, and flushes with sync(1). */
public final class ProgramFileCopier implements FileCopier {
  @Override
  public void copy(Path from, Path to) throws IOException {
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
    try (FileChannel copy = FileChannel.open(to, StandardOpenOption.WRITE)) {
      copy.force(true);
    }
  }

  @Override
  public void flush(Path mountPoint) throws IOException {
    ProgramTreeCopier.run(List.of("sync", "--file-system", "--", mountPoint.toString()));
  }
}
