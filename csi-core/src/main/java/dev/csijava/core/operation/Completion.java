package dev.csijava.core.operation;

/**
 * Gets the outcome of one call: exactly one of its methods is called, once.
 *
 * <p>It is called on the thread that did the work, which may be another caller's. It must not
 * block; what it throws is logged and harms nobody else.
 *
 * <p>Not for drivers: the pipeline waits with it.
 *
 * @param <R> the response
 * @since 0.1.0
 */
public interface Completion<R> {
  /**
   * The work was done.
   *
   * @param response the same object for everybody who joined
   * @since 0.1.0
   */
  void succeeded(R response);

  /**
   * The work failed, or was never begun.
   *
   * @param failure what the work threw, or a {@link dev.csijava.core.CsiException} with ABORTED
   *     (locks not free in time), UNAVAILABLE (interrupted, or shutting down) or CANCELLED (it was
   *     {@link #isAbandoned} when its locks were free or another call joined the work)
   * @since 0.1.0
   */
  void failed(Throwable failure);

  /**
   * Whether the caller has gone away, so that the outcome reaches nobody. Asked on other calls'
   * threads, often: it must not block.
   *
   * @since 0.1.0
   */
  default boolean isAbandoned() {
    return false;
  }
}
