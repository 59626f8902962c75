/** What a run found: on the console, as JUnit XML and as one HTML page. */
@NullMarked
package dev.csijava.testkit.report;

import org.jspecify.annotations.NullMarked;
