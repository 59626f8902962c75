package dev.csijava.hostpath.store;

import java.nio.file.Path;

/**
 * A folder below the state directory that could not be understood: it stays where it is, is not
 * served, and is never removed by the driver.
 *
 * @param folder where it lies
 * @param reason why, in words that fit behind "because"
 */
public record Quarantined(Path folder, String reason) {
  /** For a message to whoever asks for what lies there. */
  String words() {
    return folder + " was not understood when the driver started, because " + reason;
  }
}
