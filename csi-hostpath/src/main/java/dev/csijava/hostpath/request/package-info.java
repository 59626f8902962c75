/** Parts of requests that several calls share: capabilities, topology, context, pages. */
@NullMarked
package dev.csijava.hostpath.request;

import org.jspecify.annotations.NullMarked;
