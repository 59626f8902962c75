/** The driver that docs/writing-a-driver.md builds step by step: a volume is a folder. */
@NullMarked
package dev.csijava.examples.folders;

import org.jspecify.annotations.NullMarked;
