package dev.csijava.core.operation;

import com.google.protobuf.Message;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records that last as long as the process. Safe for use by several threads.
 *
 * @param <R> the create request
 * @param <O> what the driver makes
 * @since 0.1.0
 */
public final class InMemoryCreateRecords<R extends Message, O> implements CreateRecords<R, O> {
  private final Map<String, Made<R, O>> records = new ConcurrentHashMap<>();

  /**
   * No records yet.
   *
   * @since 0.1.0
   */
  public InMemoryCreateRecords() {}

  @Override
  public Optional<Made<R, O>> findByName(String name) {
    return Optional.ofNullable(records.get(name));
  }

  /**
   * Records an object that was made, or its new state, under its name.
   *
   * @param request the normalised request that made it
   * @since 0.1.0
   */
  public void put(String name, R request, O object) {
    records.put(name, new Made<>(request, object));
  }

  /**
   * Frees a name whose object was deleted; nothing happens if it was free.
   *
   * @since 0.1.0
   */
  public void remove(String name) {
    records.remove(name);
  }
}
