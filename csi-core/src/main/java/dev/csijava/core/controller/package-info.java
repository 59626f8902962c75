/** What a driver implements of the Controller service: one interface a capability. */
@NullMarked
package dev.csijava.core.controller;

import org.jspecify.annotations.NullMarked;
