package dev.csijava.core;

import io.grpc.Status;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a call that is not OK: a gRPC code and a sentence that says what to do.
 *
 * <p>A handler throws it; the pipeline turns it into the status of the call, message included, so
 * the message must be fit for the caller's eyes: no stack trace, no secret. Use the codes as the
 * error tables of the CSI specification list them. A caller takes most codes as final and forgets
 * what it was doing: where a mutating call can't say whether something was left behind, throw
 * {@link #unavailable} (rule "final only if nothing is left behind").
 *
 * <p>Any other exception that leaves a handler becomes UNAVAILABLE in a call that changes something
 * and INTERNAL in one that only reads, with an id that the log carries too. Only gRPC's {@code
 * StatusRuntimeException} is passed on as it is: a driver that speaks gRPC to its back end must
 * catch those, or the back end's NOT_FOUND is taken for the volume's.
 *
 * @since 0.1.0
 */
public final class CsiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status.Code code;
  private final String sentence;

  /**
   * For a failure that has a cause.
   *
   * @param code any code but OK
   * @param message a sentence for the caller; not empty
   * @param cause what lies behind it, for the log only
   * @throws IllegalArgumentException if the code is OK or the message blank
   * @since 0.1.0
   */
  public CsiException(Status.Code code, String message, @Nullable Throwable cause) {
    super(message, cause);
    Objects.requireNonNull(code, "code");
    if (code == Status.Code.OK) {
      throw new IllegalArgumentException("OK is not an error; return a response instead");
    }
    if (message.isBlank()) {
      throw new IllegalArgumentException("a status other than OK needs a message for people");
    }
    this.code = code;
    this.sentence = message;
  }

  /**
   * The same without a cause.
   *
   * @since 0.1.0
   */
  public CsiException(Status.Code code, String message) {
    this(code, message, null);
  }

  /**
   * The gRPC code that the caller gets.
   *
   * @since 0.1.0
   */
  public Status.Code code() {
    return code;
  }

  /** Never null and never blank: the sentence that the caller gets. */
  @Override
  public String getMessage() {
    return sentence;
  }

  /**
   * A field of the request is missing or has a value that is not allowed. Nothing was changed.
   *
   * @since 0.1.0
   */
  public static CsiException invalidArgument(String message) {
    return new CsiException(Status.Code.INVALID_ARGUMENT, message);
  }

  /**
   * The volume, snapshot, node or path that the request names does not exist.
   *
   * @since 0.1.0
   */
  public static CsiException notFound(String message) {
    return new CsiException(Status.Code.NOT_FOUND, message);
  }

  /**
   * Something by that name exists, made from another request.
   *
   * @since 0.1.0
   */
  public static CsiException alreadyExists(String message) {
    return new CsiException(Status.Code.ALREADY_EXISTS, message);
  }

  /**
   * The state of the volume does not allow the call, for example because it is in use.
   *
   * @since 0.1.0
   */
  public static CsiException failedPrecondition(String message) {
    return new CsiException(Status.Code.FAILED_PRECONDITION, message);
  }

  /**
   * The size or offset asked for can't be had, now or later.
   *
   * @since 0.1.0
   */
  public static CsiException outOfRange(String message) {
    return new CsiException(Status.Code.OUT_OF_RANGE, message);
  }

  /**
   * No room or quota. Not for NodeStageVolume, NodePublishVolume or the expand calls: kubelet and
   * the resizer would stay uncertain for ever.
   *
   * @since 0.1.0
   */
  public static CsiException resourceExhausted(String message) {
    return new CsiException(Status.Code.RESOURCE_EXHAUSTED, message);
  }

  /**
   * Another operation on the same volume is under way; the caller repeats the call.
   *
   * @since 0.1.0
   */
  public static CsiException aborted(String message) {
    return new CsiException(Status.Code.ABORTED, message);
  }

  /**
   * The outcome is unknown or the back end can't be reached; the caller keeps its state and repeats
   * the call with the same arguments.
   *
   * @since 0.1.0
   */
  public static CsiException unavailable(String message, @Nullable Throwable cause) {
    return new CsiException(Status.Code.UNAVAILABLE, message, cause);
  }

  /**
   * The call failed and left nothing behind. Callers take this code as final.
   *
   * @since 0.1.0
   */
  public static CsiException internal(String message, @Nullable Throwable cause) {
    return new CsiException(Status.Code.INTERNAL, message, cause);
  }

  /**
   * The RPC, or this use of it, is not offered by the driver.
   *
   * @since 0.1.0
   */
  public static CsiException unimplemented(String message) {
    return new CsiException(Status.Code.UNIMPLEMENTED, message);
  }
}
