package dev.csijava.core;

import com.google.protobuf.Message;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Which RPC is answered by what. An RPC without a handler is not offered. */
final class Handlers {
  private final Map<Rpc, Handler> byRpc = new EnumMap<>(Rpc.class);

  <Q extends Message, R extends Message> Handlers unary(Rpc rpc, Handler.Unary<Q, R> handler) {
    put(rpc, handler);
    return this;
  }

  <Q extends Message, R extends Message> Handlers streaming(
      Rpc rpc, Handler.Streaming<Q, R> handler) {
    put(rpc, handler);
    return this;
  }

  private void put(Rpc rpc, Handler handler) {
    if (byRpc.putIfAbsent(rpc, handler) != null) {
      throw new IllegalStateException(
          rpc.title() + " is registered twice; register each capability once");
    }
  }

  void addAll(Handlers others) {
    others.byRpc.forEach(this::put);
  }

  /** Wraps the handler of a unary RPC, if there is one. */
  @SuppressWarnings("unchecked")
  <Q extends Message, R extends Message> void decorate(
      Rpc rpc, UnaryOperator<Handler.Unary<Q, R>> decoration) {
    byRpc.computeIfPresent(rpc, (key, handler) -> decoration.apply((Handler.Unary<Q, R>) handler));
  }

  boolean has(Rpc rpc) {
    return byRpc.containsKey(rpc);
  }

  Optional<Handler> find(Rpc rpc) {
    return Optional.ofNullable(byRpc.get(rpc));
  }

  /** Keeps only what the mode serves. */
  void restrictTo(Mode mode) {
    byRpc.keySet().removeIf(rpc -> !mode.serves(rpc));
  }
}
