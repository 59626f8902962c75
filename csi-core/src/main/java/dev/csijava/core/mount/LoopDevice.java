package dev.csijava.core.mount;

import java.nio.file.Path;

/**
 * A block device that the kernel makes of a file.
 *
 * @param node its device node, for example {@code /dev/loop3}
 * @param backingFile the file as the kernel names it; ends in {@code " (deleted)"} if it is gone
 * @param readOnly whether writes are refused
 * @param directIo whether the page cache holds the contents once, not twice
 * @since 0.1.0
 */
public record LoopDevice(Path node, String backingFile, boolean readOnly, boolean directIo) {}
