package dev.csijava.examples.lifecycle;

import io.grpc.Status;
import java.time.Duration;

/**
 * How a call ended.
 *
 * @param words what the caller saw in the answer, or the sentence that came with the status
 * @param expected whether the status is the one that should come
 */
record Outcome(Status.Code code, Duration duration, String words, boolean expected) {}
