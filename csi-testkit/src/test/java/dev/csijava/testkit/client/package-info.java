@NullMarked
package dev.csijava.testkit.client;

import org.jspecify.annotations.NullMarked;
