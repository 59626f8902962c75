package dev.csijava.core.operation;

import com.google.protobuf.Message;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a call locks while it runs, and whether identical calls are joined (rule K8).
 *
 * <p>Calls of one volume go side by side unless they touch the same facet of it: a copy of its data
 * does not hold up stage and publish, publish and unpublish at different targets go in parallel,
 * and delete waits for all of them. Calls that only read lock nothing.
 *
 * <p>Immutable.
 *
 * <p>Not for drivers: the pipeline asks it for every call.
 *
 * @since 0.1.0
 */
public final class OperationKeys {
  private final String rpc;
  private final boolean joins;
  private final Map<LockKey, Boolean> exclusive;

  private OperationKeys(Builder builder) {
    this.rpc = builder.rpc;
    this.joins = builder.joins || !builder.exclusive.isEmpty();
    this.exclusive = Collections.unmodifiableMap(builder.exclusive);
  }

  /**
   * The keys of a request, by the one table of all RPCs.
   *
   * @throws IllegalArgumentException if it is not a request of the Container Storage Interface
   * @since 0.1.0
   */
  public static OperationKeys of(Message request) {
    return KeyTable.keysOf(request);
  }

  /**
   * The RPC's name, for example {@code NodeStageVolume}.
   *
   * @since 0.1.0
   */
  public String rpc() {
    return rpc;
  }

  /**
   * Whether identical calls that run at the same time share one execution: those that change
   * something, and reads of volumes that may hang.
   *
   * @since 0.1.0
   */
  public boolean joins() {
    return joins;
  }

  /**
   * The keys; true for those that are locked against everybody, false for those that are shared.
   */
  Map<LockKey, Boolean> exclusive() {
    return exclusive;
  }

  boolean isExclusive(LockKey key) {
    return exclusive.getOrDefault(key, false);
  }

  @Override
  public String toString() {
    return rpc + exclusive;
  }

  /** Collects keys; an empty id locks nothing, and of two modes of one key the stronger counts. */
  static final class Builder {
    private final String rpc;
    private final Map<LockKey, Boolean> exclusive = new LinkedHashMap<>();
    private boolean joins;

    Builder(String rpc) {
      this.rpc = rpc;
    }

    Builder exclusive(LockKey.Facet facet, String id) {
      return add(facet, id, true);
    }

    Builder shared(LockKey.Facet facet, String id) {
      return add(facet, id, false);
    }

    Builder joined() {
      joins = true;
      return this;
    }

    OperationKeys build() {
      return new OperationKeys(this);
    }

    private Builder add(LockKey.Facet facet, String id, boolean alone) {
      if (!id.isEmpty()) {
        exclusive.merge(new LockKey(facet, id), alone, Boolean::logicalOr);
      }
      return this;
    }
  }
}
