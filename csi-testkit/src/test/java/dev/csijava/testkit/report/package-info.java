@NullMarked
package dev.csijava.testkit.report;

import org.jspecify.annotations.NullMarked;
