package dev.csijava.nativeio;

import dev.csijava.core.mount.Mount;

/**
 * A mount as it is shown now.
 *
 * @param id as {@link FileStatus} has it
 * @param shared whether what is mounted in it appears elsewhere too
 */
record Mounted(long id, Mount mount, boolean shared) {}
