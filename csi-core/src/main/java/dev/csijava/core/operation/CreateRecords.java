package dev.csijava.core.operation;

import com.google.protobuf.Message;
import java.util.Optional;

/**
 * Where an {@link IdempotentCreate} finds what was made under a name. A driver's own store
 * implements it; {@link InMemoryCreateRecords} is one for tests and for back ends that forget.
 *
 * <p>Called by several threads at once, but for one name by one at a time while the framework holds
 * the name's lock. It answers what is committed: nothing that is half made, nothing deleted.
 *
 * @param <R> the create request, as {@link CreateRequests} normalises it
 * @param <O> what the driver makes: its record of a volume, snapshot or group
 * @since 0.1.0
 */
@FunctionalInterface
public interface CreateRecords<R extends Message, O> {
  /**
   * What was made under the name, with the request that made it; empty if the name is free. May
   * block.
   *
   * @since 0.1.0
   */
  Optional<Made<R, O>> findByName(String name);

  /**
   * An object and the request that it was made from.
   *
   * @param request the normalised request, as it was stored
   * @param object the object as it is now
   * @since 0.1.0
   */
  record Made<R extends Message, O>(R request, O object) {}
}
