package dev.csijava.core;

/**
 * A broken rule, where, and how.
 *
 * @param path the field as the published proto names it, for example {@code
 *     volume_capabilities[0].access_mode}; empty for the message itself
 * @param why goes on from the path: "is missing and must be set"; never holds a secret
 */
record Violation(Rule rule, String path, String why) {
  String sentence() {
    return path.isEmpty() ? why : path + " " + why;
  }
}
