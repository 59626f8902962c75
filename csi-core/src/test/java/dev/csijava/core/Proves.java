package dev.csijava.core;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The rows of the requirement inventory that a test shows; it fails where one of them is broken.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Proves {
  /** Ids of rows, as requirements.tsv has them. */
  String[] value();
}
