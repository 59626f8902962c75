package dev.csijava.nativeio;

/**
 * A name that was read from a directory.
 *
 * @param name the entry's name
 * @param type what it was when it was read, {@link NodeType#UNKNOWN} where the file system does not
 *     say; it may be something else by now
 * @since 0.1.0
 */
public record DirectoryEntry(FileName name, NodeType type) {}
