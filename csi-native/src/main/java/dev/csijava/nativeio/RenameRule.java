package dev.csijava.nativeio;

/**
 * What a rename does about something that has the new name already.
 *
 * @since 0.1.0
 */
public enum RenameRule {
  /** It is replaced, at one moment; a directory only if it is empty. */
  REPLACE(0),
  /** It stays, and the rename fails with EEXIST. */
  KEEP(1),
  /** The two change places at one moment. */
  EXCHANGE(2);

  private final int flag;

  RenameRule(int flag) {
    this.flag = flag;
  }

  int flag() {
    return flag;
  }
}
