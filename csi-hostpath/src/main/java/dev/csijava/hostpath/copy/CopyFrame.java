package dev.csijava.hostpath.copy;

import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.NodeStatus;
import dev.csijava.nativeio.OpenDirectory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is being copied: both sides, and which of its directories are still to come. Far
 * up in a deep tree it is parked, without descriptors, and opened again from below.
 */
final class CopyFrame implements AutoCloseable {
  private final FileName name;
  private final NodeStatus status;
  private final NodeStatus targetStatus;
  private final Deque<FileName> left = new ArrayDeque<>();
  private @Nullable OpenDirectory source;
  private @Nullable OpenDirectory target;

  /** Owns both directories from now on. */
  CopyFrame(FileName name, OpenDirectory source, OpenDirectory target) throws IOException {
    this.name = name;
    this.source = source;
    this.target = target;
    try {
      this.status = source.status();
      this.targetStatus = target.status();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  FileName name() {
    return name;
  }

  /** Of the source, from before anything in it was read. */
  NodeStatus status() {
    return status;
  }

  Deque<FileName> left() {
    return left;
  }

  OpenDirectory source() {
    return open(source);
  }

  OpenDirectory target() {
    return open(target);
  }

  private static OpenDirectory open(@Nullable OpenDirectory directory) {
    if (directory == null) {
      throw new IllegalStateException("the directory is parked");
    }
    return directory;
  }

  void park() {
    close();
  }

  /**
   * Opens both again as the directories that those of a child lie in.
   *
   * @throws IOException if a child was moved elsewhere meanwhile: nothing outside is copied
   */
  void unparkFrom(CopyFrame child) throws IOException {
    if (source != null) {
      return;
    }
    source = parent(child.source(), status);
    target = parent(child.target(), targetStatus);
  }

  private static OpenDirectory parent(OpenDirectory child, NodeStatus expected) throws IOException {
    OpenDirectory parent = child.parent();
    try {
      if (parent.status().sameNode(expected)) {
        return parent;
      }
    } catch (IOException e) {
      parent.close();
      throw e;
    }
    parent.close();
    throw new IOException("a directory was moved while it was copied");
  }

  @Override
  public void close() {
    if (source != null) {
      source.close();
      source = null;
    }
    if (target != null) {
      target.close();
      target = null;
    }
  }
}
