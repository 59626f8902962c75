package dev.csijava.hostpath.store;

import dev.csijava.hostpath.state.Record;

/** What a store holds. */
enum ObjectKind {
  VOLUME("volume", "volumes", "vol-", Record.KindCase.VOLUME),
  SNAPSHOT("snapshot", "snapshots", "snap-", Record.KindCase.SNAPSHOT),
  GROUP("group of snapshots", "groups", "group-", Record.KindCase.GROUP);

  private final String word;
  private final String folder;
  private final String prefix;
  private final Record.KindCase recordKind;

  ObjectKind(String word, String folder, String prefix, Record.KindCase recordKind) {
    this.word = word;
    this.folder = folder;
    this.prefix = prefix;
    this.recordKind = recordKind;
  }

  /** As it is called in a sentence. */
  String word() {
    return word;
  }

  /** Its folder in the state directory. */
  String folder() {
    return folder;
  }

  /** What its ids start with. */
  String prefix() {
    return prefix;
  }

  Record.KindCase recordKind() {
    return recordKind;
  }
}
