package dev.csijava.hostpath.copy;

import dev.csijava.nativeio.Errno;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.NodeStatus;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenFile;
import dev.csijava.nativeio.OpenFile.Access;
import dev.csijava.nativeio.OpenNode;
import java.io.IOException;

/** Copies what is no directory. */
final class EntryCopy {
  private static final int OWNER_ONLY = 0600;

  private final ContentCopy content;
  private final AttributeCopy attributes;
  private final HardLinks links;

  EntryCopy(ContentCopy content, AttributeCopy attributes, HardLinks links) {
    this.content = content;
    this.attributes = attributes;
    this.links = links;
  }

  /**
   * @param source held, so that it stays what the status says
   */
  void copy(OpenNode source, NodeStatus status, OpenDirectory target, FileName name)
      throws IOException {
    try {
      if (status.links() > 1) {
        links.place(status, target, name, (folder, key) -> make(source, status, folder, key));
      } else {
        make(source, status, target, name);
      }
    } catch (LinuxException e) {
      // A directory that changes while it is read may tell of a name twice: the first stays.
      if (!e.is(Errno.EEXIST)) {
        throw e;
      }
    }
  }

  private void make(OpenNode source, NodeStatus status, OpenDirectory target, FileName name)
      throws IOException {
    switch (status.type()) {
      case FILE -> {
        file(source, status, target, name);
        return;
      }
      case LINK -> target.makeLink(name, source.linkTarget());
      case FIFO, SOCKET, CHARACTER_DEVICE, BLOCK_DEVICE ->
          target.makeSpecial(name, status.type(), OWNER_ONLY, status.device());
      case DIRECTORY, UNKNOWN -> throw new IOException("can't copy a file of unknown type");
    }
    try (OpenNode made = target.entry(name)) {
      attributes.copy(source, status, made);
    }
  }

  private void file(OpenNode source, NodeStatus status, OpenDirectory target, FileName name)
      throws IOException {
    try (OpenFile from = source.openFile(Access.READ);
        OpenFile made = target.makeFile(name, OWNER_ONLY)) {
      try {
        content.copy(from, made);
        attributes.copy(from, status, made);
      } catch (IOException | RuntimeException e) {
        remove(target, name, e);
        throw e;
      }
    }
  }

  private static void remove(OpenDirectory target, FileName made, Exception failure) {
    try {
      target.removeFile(made);
    } catch (LinuxException e) {
      failure.addSuppressed(e);
    }
  }
}
