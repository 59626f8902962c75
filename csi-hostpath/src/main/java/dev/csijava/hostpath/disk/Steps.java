package dev.csijava.hostpath.disk;

/**
 * Told at each boundary between two steps of a change on disk, so that a test can let the process
 * die exactly there. What goes through another seam of the driver, as mounts and loop devices do,
 * has its boundaries there. The default does nothing.
 */
@FunctionalInterface
public interface Steps {
  /** Goes on. */
  Steps NONE = step -> {};

  /** Called by the thread that makes the change, after the step is done. */
  void reached(Step step);

  /** A step that was just done. */
  enum Step {
    /** Create: the pending folder is there, empty. */
    PENDING_MADE,
    /** Create: the data lies in the pending folder. */
    DATA_MADE,
    /** Create: the record lies in the pending folder, on disk. */
    RECORD_WRITTEN,
    /** Create: all of the pending folder is on disk. */
    PENDING_SYNCED,
    /** Create: renamed to where the next start finds it. */
    COMMITTED,
    /** Create: the rename is on disk; the answer may be given. */
    CREATE_DURABLE,
    /** Update: the new record lies beside the old one, on disk. */
    UPDATE_WRITTEN,
    /** Update: the new record has taken the old one's place. */
    UPDATED,
    /** Update: the rename is on disk; the answer may be given. */
    UPDATE_DURABLE,
    /** Group: all members lie in pending folders, on disk. */
    MEMBERS_MADE,
    /** Group: all members are where they belong, on disk, but no group claims them yet. */
    MEMBERS_MOVED,
    /** Group: its record is gone, and with it the members; their folders are still there. */
    GROUP_DELETED,
    /** Delete: renamed into the trash. */
    TRASHED,
    /** Delete: the rename is on disk; the answer may be given. */
    DELETE_DURABLE,
    /** Node: an entry of the run directory is about to be written. */
    RUN_ENTRY_COMING,
    /** Node: it lies beside the place where the next start looks for it. */
    RUN_ENTRY_WRITTEN,
    /** Node: it is in its place. */
    RUN_ENTRY_IN_PLACE,
    /** Node: an entry of the run directory is about to go. */
    RUN_ENTRY_GOING,
    /** Node: it is gone. */
    RUN_ENTRY_GONE
  }
}
