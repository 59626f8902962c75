/** Connections to any CSI driver, with a record of every call that holds no secret. */
@NullMarked
package dev.csijava.testkit.client;

import org.jspecify.annotations.NullMarked;
