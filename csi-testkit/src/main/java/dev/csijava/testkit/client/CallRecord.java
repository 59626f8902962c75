package dev.csijava.testkit.client;

import io.grpc.Status;
import java.time.Duration;

/**
 * One call as it went over the wire, with the secrets of its request struck out of request and
 * message. What a driver puts into an answer stands there as it came, be it a secret.
 *
 * @param rpc the name of the RPC, for example {@code CreateVolume}
 * @param request as text
 * @param response as text, several messages of a stream one after the other; empty after a refusal
 * @param code how it ended
 * @param message the status message of a refusal, else empty
 * @param duration from sending to the end
 * @since 0.1.0
 */
public record CallRecord(
    String rpc,
    String request,
    String response,
    Status.Code code,
    String message,
    Duration duration) {}
