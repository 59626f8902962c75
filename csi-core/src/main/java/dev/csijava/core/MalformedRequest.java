package dev.csijava.core;

/** What the marshaller hands on when the bytes of a request are no message. */
enum MalformedRequest {
  INSTANCE
}
