package dev.csijava.hostpath.copy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Freezes with fsfreeze(8), while the directory is open in this process. */
final class ProgramFreezer implements Freezer {
  private static final Logger log = LoggerFactory.getLogger(ProgramFreezer.class);

  @Override
  @SuppressWarnings("StreamResourceLeak") // closed with what it is handed to
  public MountedFileSystem open(Path mountPoint) throws IOException {
    return new Opened(mountPoint, Files.newDirectoryStream(mountPoint));
  }

  private record Opened(Path mountPoint, DirectoryStream<Path> root) implements MountedFileSystem {
    @Override
    public String device() throws IOException {
      long device = (Long) Files.getAttribute(mountPoint, "unix:dev");
      long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
      long minor = (device & 0xff) | ((device >>> 12) & ~0xffL);
      return major + ":" + minor;
    }

    @Override
    public Outcome freeze() {
      try {
        ProgramTreeCopier.run(List.of("fsfreeze", "--freeze", mountPoint.toString()));
        return Outcome.FROZEN;
      } catch (IOException e) {
        if (String.valueOf(e.getMessage()).contains("busy")) {
          return Outcome.FROZEN_BEFORE;
        }
        log.warn("{} is not frozen, only flushed: {}", mountPoint, e.getMessage());
        return Outcome.REFUSED;
      }
    }

    @Override
    public void thaw() throws IOException {
      try {
        ProgramTreeCopier.run(List.of("fsfreeze", "--unfreeze", mountPoint.toString()));
      } catch (IOException e) {
        if (!String.valueOf(e.getMessage()).contains("Invalid argument")) {
          throw e;
        }
      }
    }

    @Override
    public void close() {
      try {
        root.close();
      } catch (IOException e) {
        log.warn("{} could not be closed", mountPoint, e);
      }
    }
  }
}
