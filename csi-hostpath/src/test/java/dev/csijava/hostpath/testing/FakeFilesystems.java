package dev.csijava.hostpath.testing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.FileSystemType;
import dev.csijava.core.mount.Filesystems;
import dev.csijava.core.mount.ProbeResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Says what it was asked for; on every device lies what a test says. */
public final class FakeFilesystems implements Filesystems {
  private final List<String> asked = new ArrayList<>();
  private ProbeResult there = new ProbeResult.Found("ext4", "one");
  private boolean growing = true;
  private int dirtyLooks;

  /** What every probe finds from now on. */
  public void find(ProbeResult result) {
    there = result;
  }

  /** Whether a mounted file system can grow. */
  public void growMounted(boolean can) {
    growing = can;
  }

  /** How often from now on a log has to be replayed before an UUID can be renewed. */
  public void dirtyLog(int times) {
    dirtyLooks = times;
  }

  /** What was asked for, in order, and forgets it. */
  public synchronized List<String> asked() {
    List<String> all = List.copyOf(asked);
    asked.clear();
    return all;
  }

  private synchronized void ask(String what) {
    asked.add(what);
  }

  @Override
  public ProbeResult probe(Path device) {
    return there;
  }

  @Override
  public void make(Path device, FileSystemType type, boolean neverFormatted) {
    if (!neverFormatted) {
      throw CsiException.failedPrecondition("it was formatted before");
    }
    ask("make " + type.typeName());
  }

  @Override
  public void check(Path device, FileSystemType type) {
    ask("check");
  }

  @Override
  public void grow(Path device, Path mountPoint, FileSystemType type) {
    if (!growing) {
      throw CsiException.internal("Permission denied", null);
    }
    ask("grow mounted");
  }

  @Override
  public void growUnmounted(Path device, FileSystemType type) {
    ask("grow");
  }

  @Override
  public void renewUuid(Path device, FileSystemType type) {
    ask("renew uuid");
    if (dirtyLooks > 0) {
      dirtyLooks--;
      throw CsiException.failedPrecondition("the log has to be replayed first");
    }
  }
}
