@NullMarked
package dev.csijava.testkit.manifests;

import org.jspecify.annotations.NullMarked;
