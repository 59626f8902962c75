package dev.csijava.core.operation;

/** One thing that a call changes or relies on: a facet, and whose. */
record LockKey(Facet facet, String id) {
  /** A volume has several facets, so that calls which do not touch the same one do not wait. */
  enum Facet {
    VOLUME_NAME("volume name"),
    /** What a volume holds, and how much of it: copied, grown, deleted. */
    VOLUME_DATA("volume"),
    /** Where a volume is staged and published on this node. */
    VOLUME_NODE("volume"),
    /** Which nodes a volume is attached to. */
    VOLUME_ATTACHMENT("attachments of volume"),
    /** What ControllerModifyVolume changes. */
    VOLUME_ATTRIBUTES("attributes of volume"),
    SNAPSHOT_NAME("snapshot name"),
    SNAPSHOT("snapshot"),
    GROUP_NAME("group snapshot name"),
    GROUP("group snapshot"),
    /** A staging or target path; one space, as one might be given for the other. */
    PATH("path");

    private final String words;

    Facet(String words) {
      this.words = words;
    }
  }

  @Override
  public String toString() {
    return facet.words + " " + id;
  }
}
