package dev.csijava.hostpath.blocks;

import dev.csijava.nativeio.DeviceNumber;
import dev.csijava.nativeio.Errno;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** With the kernel's knowledge of where its content lies. */
record DescriptorFile(OpenFile file, DeviceNumber fileSystem) implements SnapshotFile {
  static SnapshotFile open(Path path) throws IOException {
    try (OpenDirectory folder = OpenDirectory.parentOf(path)) {
      OpenFile file = folder.file(FileName.last(path), OpenFile.Access.READ);
      try {
        return new DescriptorFile(file, file.status().fileSystem());
      } catch (LinuxException e) {
        file.close();
        throw e;
      }
    } catch (LinuxException e) {
      if (e.is(Errno.ENOENT)) {
        throw new NoSuchFileException(path.toString());
      }
      throw e;
    }
  }

  @Override
  public long size() throws IOException {
    return file.status().size();
  }

  @Override
  public boolean sharesPlacesWith(SnapshotFile other) {
    return other instanceof DescriptorFile there && there.fileSystem.equals(fileSystem);
  }

  @Override
  public Runs runs(long start, long end) throws IOException {
    try {
      return new ExtentRuns(file.extents(start), start, end);
    } catch (LinuxException e) {
      if (!e.is(Errno.EOPNOTSUPP, Errno.ENOTTY)) {
        throw e;
      }
      return new SeekRuns(file, start, end);
    }
  }

  @Override
  public void read(long offset, byte[] into, int length) throws IOException {
    if (file.read(offset, into) < length) {
      throw new IOException("the file of the snapshot is shorter than it was");
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
