/**
 * Linux system calls: behind the mount and loop device interfaces of csi-core, found by {@code
 * ServiceLoader}, and files by descriptor ({@link dev.csijava.nativeio.OpenDirectory} is where to
 * begin).
 *
 * <p>Call numbers and layouts are those of x86-64, which every build tries, and of aarch64, which
 * come from the kernel's own tables and have not been run. A call that fails is a {@link
 * dev.csijava.nativeio.LinuxException} that keeps errno and names both.
 */
@NullMarked
package dev.csijava.nativeio;

import org.jspecify.annotations.NullMarked;
