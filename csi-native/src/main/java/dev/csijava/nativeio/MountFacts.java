package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.csijava.core.mount.Mount;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * What is asked of a mount each time, and costs a third of asking for everything.
 *
 * @param parent the number of the mount that it lies on
 * @param options its own options, as mountinfo names them
 * @param fileSystemReadOnly whether its whole file system refuses writes
 * @param local whether its file system's kernel code waits for nobody but disks
 * @param shared whether what is mounted in it appears elsewhere too
 */
record MountFacts(
    long parent, Set<String> options, boolean fileSystemReadOnly, boolean local, boolean shared) {
  private static final int READ_ONLY = 0x1;
  private static final long SHARED = 1 << 20;

  /** struct statmount. */
  private static final int NUMBER_OF_TYPE = 24;

  private static final int FLAGS = 32;

  private static final int PARENT_ID = 48;
  private static final int ATTRIBUTES = 64;
  private static final int PROPAGATION = 72;

  static MountFacts of(MemorySegment answer) {
    return new MountFacts(
        parent(answer),
        MountAttributes.names(answer.get(JAVA_LONG, ATTRIBUTES)),
        (answer.get(JAVA_INT, FLAGS) & READ_ONLY) != 0,
        LocalTypes.contains(answer.get(JAVA_LONG, NUMBER_OF_TYPE)),
        (answer.get(JAVA_LONG, PROPAGATION) & SHARED) != 0);
  }

  static long parent(MemorySegment answer) {
    return answer.get(JAVA_LONG, PARENT_ID);
  }

  static MountFacts of(Mount mount, boolean shared) {
    return new MountFacts(
        mount.parentId(),
        mount.options(),
        mount.superOptions().contains("ro"),
        LocalTypes.contains(mount.fileSystemType()),
        shared);
  }

  boolean readOnly() {
    return fileSystemReadOnly || options.contains("ro");
  }
}
