package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** What the access modes allow. */
final class AccessModes {
  static final Set<Mode> ALWAYS =
      EnumSet.of(
          Mode.SINGLE_NODE_WRITER,
          Mode.SINGLE_NODE_READER_ONLY,
          Mode.MULTI_NODE_READER_ONLY,
          Mode.MULTI_NODE_SINGLE_WRITER,
          Mode.MULTI_NODE_MULTI_WRITER);

  /** Those that need the capability SINGLE_NODE_MULTI_WRITER. */
  static final Set<Mode> FINER =
      EnumSet.of(Mode.SINGLE_NODE_SINGLE_WRITER, Mode.SINGLE_NODE_MULTI_WRITER);

  private static final Set<Mode> MULTI_NODE =
      EnumSet.of(
          Mode.MULTI_NODE_READER_ONLY, Mode.MULTI_NODE_SINGLE_WRITER, Mode.MULTI_NODE_MULTI_WRITER);
  private static final Set<Mode> READER_ONLY =
      EnumSet.of(Mode.SINGLE_NODE_READER_ONLY, Mode.MULTI_NODE_READER_ONLY);

  private AccessModes() {}

  static boolean onManyNodes(Mode mode) {
    return MULTI_NODE.contains(mode);
  }

  static boolean readerOnly(Mode mode) {
    return READER_ONLY.contains(mode);
  }

  /** Whether a volume may stand at several targets of one node. */
  static boolean atManyTargets(Mode mode) {
    return onManyNodes(mode) || mode == Mode.SINGLE_NODE_MULTI_WRITER;
  }

  /** Whether a volume that was made for some modes can serve another one. */
  static boolean covered(Collection<Mode> made, Mode asked) {
    for (Mode mode : made) {
      if (mode == asked
          || mode == Mode.MULTI_NODE_MULTI_WRITER
          || asked == Mode.SINGLE_NODE_READER_ONLY
          || (mode == Mode.MULTI_NODE_SINGLE_WRITER && asked != Mode.MULTI_NODE_MULTI_WRITER)
          || (!readerOnly(mode) && !onManyNodes(asked))) {
        return true;
      }
    }
    return false;
  }
}
