/** Answers to the Controller service. */
@NullMarked
package dev.csijava.hostpath.controller;

import org.jspecify.annotations.NullMarked;
