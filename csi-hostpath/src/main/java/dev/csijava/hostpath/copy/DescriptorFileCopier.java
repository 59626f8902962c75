package dev.csijava.hostpath.copy;

import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenFile;
import dev.csijava.nativeio.OpenFile.Access;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Copies by descriptor: at one moment and without a byte moved where the file system can share
 * blocks, else what is not a hole. A copy that failed is removed.
 */
public final class DescriptorFileCopier implements FileCopier {
  private static final int OWNER_ONLY = 0600;

  @Override
  public void copy(Path from, Path to, Runnable afterCut) throws IOException {
    FileName name = FileName.last(to);
    try (OpenDirectory folder = OpenDirectory.parentOf(from);
        OpenFile source = folder.file(FileName.last(from), Access.READ);
        OpenDirectory target = OpenDirectory.parentOf(to);
        OpenFile copy = target.makeFile(name, OWNER_ONLY)) {
      try {
        new ContentCopy(CopyProgress.of(from)).copy(source, copy);
        afterCut.run();
        copy.setMode(source.status().mode());
        copy.sync();
        target.sync();
      } catch (IOException | RuntimeException e) {
        remove(target, name, e);
        throw e;
      }
    } catch (LinuxException e) {
      throw new IOException("could not copy " + from + ": " + e.getMessage(), e);
    }
  }

  private static void remove(OpenDirectory target, FileName made, Exception failure) {
    try {
      target.removeFile(made);
    } catch (LinuxException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void setSize(Path file, long bytes) throws IOException {
    try (OpenDirectory folder = OpenDirectory.parentOf(file);
        OpenFile opened = folder.file(FileName.last(file), Access.READ_WRITE)) {
      if (opened.status().size() != bytes) {
        opened.setSize(bytes);
      }
      opened.sync();
    } catch (LinuxException e) {
      throw new IOException(
          "could not make " + file + " " + bytes + " bytes long: " + e.getMessage(), e);
    }
  }

  @Override
  public void flush(Path mountPoint) throws IOException {
    try (OpenDirectory root = OpenDirectory.at(mountPoint)) {
      root.syncFileSystem();
    }
  }

  @Override
  public Optional<Freezer> freezer() {
    return Optional.of(new DescriptorFreezer());
  }
}
