package dev.csijava.hostpath.health;

import dev.csijava.hostpath.state.Record;
import java.util.List;

/**
 * What the disk says of volumes and of the storage behind them. Safe for use by several threads.
 */
public interface VolumeFacts {
  /** What is wrong with a volume; empty if nothing is. May block on a disk that does not answer. */
  List<Problem> ofVolume(Record volume);

  /** What is wrong with the storage behind all volumes; empty if nothing is. */
  List<Problem> ofStorage();

  /**
   * Something that is wrong.
   *
   * @param severity how bad it is
   * @param reason one word in CamelCase
   * @param message a short sentence without paths of the node
   */
  record Problem(Severity severity, String reason, String message) {}

  /** How bad something is. */
  enum Severity {
    /** It can be used, but not for long or not as it should be. */
    DEGRADED,
    /** It can't be used now. */
    INACCESSIBLE,
    /** Data is gone. */
    DATA_LOSS
  }
}
