package dev.csijava.testkit.fake;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerGetCapabilitiesResponse;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.NodeGetCapabilitiesResponse;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.testkit.client.CsiRpc;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The ways in which mutants are broken. */
final class Deviations {
  private Deviations() {}

  /** Answers OK where the driver refuses with a sentence that holds these words. */
  static Deviation accept(String rpc, String words) {
    return end(
        rpc,
        (request, outcome) ->
            String.valueOf(outcome.status().getDescription()).contains(words)
                ? Deviation.Outcome.of(emptyReply(rpc))
                : outcome);
  }

  /** Refuses with another code than the driver. */
  static Deviation code(String rpc, Status.Code from, Status.Code to) {
    return end(
        rpc, (request, outcome) -> outcome.status().getCode() == from ? refusal(to) : outcome);
  }

  /** Refuses requests that the driver accepts. */
  static <T extends Message> Deviation refuse(
      String rpc, Class<T> type, Predicate<T> which, Status.Code code) {
    return end(
        rpc,
        (request, outcome) ->
            outcome.status().isOk() && which.test(type.cast(request)) ? refusal(code) : outcome);
  }

  /** Has no such RPC. */
  static Deviation absent(String rpc) {
    return refuseFrom(rpc, 1, Status.Code.UNIMPLEMENTED);
  }

  /** Refuses everything from that call on. */
  static Deviation refuseFrom(String rpc, int call, Status.Code code) {
    AtomicInteger calls = new AtomicInteger();
    return end(
        rpc, (request, outcome) -> calls.incrementAndGet() >= call ? refusal(code) : outcome);
  }

  /** Refuses what it finds its state to be; of calls that come one after the other. */
  static <T extends Message> Deviation refuseWhen(
      String rpc, Class<T> type, BiPredicate<FakeState, T> which, Status.Code code) {
    AtomicBoolean found = new AtomicBoolean();
    return new Deviation() {
      @Override
      public void before(FakeState state, String called, Message request) {
        if (called.equals(rpc)) {
          found.set(which.test(state, type.cast(request)));
        }
      }

      @Override
      public Outcome end(String called, Message request, Outcome outcome) {
        return called.equals(rpc) && found.get() ? refusal(code) : outcome;
      }
    };
  }

  /** Advertises less than it does. */
  static Deviation hides(ControllerServiceCapability.RPC.Type type) {
    return reply(
        "ControllerGetCapabilities",
        ControllerGetCapabilitiesResponse.class,
        r -> {
          ControllerGetCapabilitiesResponse.Builder less = r.toBuilder().clearCapabilities();
          r.getCapabilitiesList().stream()
              .filter(capability -> capability.getRpc().getType() != type)
              .forEach(less::addCapabilities);
          return less.build();
        });
  }

  /** Advertises less than it does. */
  static Deviation hides(NodeServiceCapability.RPC.Type type) {
    return reply(
        "NodeGetCapabilities",
        NodeGetCapabilitiesResponse.class,
        r -> {
          NodeGetCapabilitiesResponse.Builder less = r.toBuilder().clearCapabilities();
          r.getCapabilitiesList().stream()
              .filter(capability -> capability.getRpc().getType() != type)
              .forEach(less::addCapabilities);
          return less.build();
        });
  }

  /** Answers what it answered first to requests with this key, instead of ALREADY_EXISTS. */
  static <T extends Message> Deviation keeps(String rpc, Class<T> type, Function<T, String> key) {
    Map<String, Deviation.Outcome> first = new HashMap<>();
    return end(
        rpc,
        (request, outcome) -> {
          String name = key.apply(type.cast(request));
          if (outcome.status().isOk()) {
            first.putIfAbsent(name, outcome);
          }
          return outcome.status().getCode() == Status.Code.ALREADY_EXISTS
              ? first.getOrDefault(name, outcome)
              : outcome;
        });
  }

  /** Two ways at once, of which each leaves the calls of the other alone. */
  static Deviation both(Deviation one, Deviation other) {
    return new Deviation() {
      @Override
      public Message request(String rpc, Message request) {
        return other.request(rpc, one.request(rpc, request));
      }

      @Override
      public void before(FakeState state, String rpc, Message request) {
        one.before(state, rpc, request);
        other.before(state, rpc, request);
      }

      @Override
      public Outcome end(String rpc, Message request, Outcome outcome) {
        return other.end(rpc, request, one.end(rpc, request, outcome));
      }
    };
  }

  /** Refuses what it answered once. */
  static <T extends Message> Deviation refuseAgain(
      String rpc, Class<T> type, Function<T, String> key, Status.Code code) {
    Set<String> seen = new HashSet<>();
    return end(
        rpc,
        (request, outcome) ->
            outcome.status().isOk() && !seen.add(key.apply(type.cast(request)))
                ? refusal(code)
                : outcome);
  }

  /** Sends another reply. */
  static <T extends Message> Deviation reply(String rpc, Class<T> type, UnaryOperator<T> change) {
    return replies(rpc, type, all -> all.stream().map(change).toList());
  }

  /** Sends another stream. */
  static <T extends Message> Deviation replies(
      String rpc, Class<T> type, UnaryOperator<List<T>> change) {
    return end(
        rpc,
        (request, outcome) -> {
          if (!outcome.status().isOk()) {
            return outcome;
          }
          List<T> typed = outcome.replies().stream().map(type::cast).toList();
          return new Deviation.Outcome(List.copyOf(change.apply(typed)), Status.OK);
        });
  }

  /** Takes the request for another one. */
  static <T extends Message> Deviation request(String rpc, Class<T> type, UnaryOperator<T> change) {
    return new Deviation() {
      @Override
      public Message request(String called, Message request) {
        return called.equals(rpc) ? change.apply(type.cast(request)) : request;
      }
    };
  }

  /** Does something else to the driver's state first. */
  static <T extends Message> Deviation before(
      String rpc, Class<T> type, BiConsumer<FakeState, T> deed) {
    return new Deviation() {
      @Override
      public void before(FakeState state, String called, Message request) {
        if (called.equals(rpc)) {
          deed.accept(state, type.cast(request));
        }
      }
    };
  }

  /** Does something else once it has answered. */
  static <T extends Message> Deviation afterwards(String rpc, Class<T> type, Consumer<T> deed) {
    return end(
        rpc,
        (request, outcome) -> {
          if (outcome.status().isOk()) {
            deed.accept(type.cast(request));
          }
          return outcome;
        });
  }

  /** What becomes of an outcome. */
  @FunctionalInterface
  interface End {
    Deviation.Outcome of(Message request, Deviation.Outcome outcome);
  }

  static Deviation end(String rpc, End end) {
    return new Deviation() {
      @Override
      public synchronized Outcome end(String called, Message request, Outcome outcome) {
        return called.equals(rpc) ? end.of(request, outcome) : outcome;
      }
    };
  }

  static Deviation.Outcome refusal(Status.Code code) {
    return Deviation.Outcome.of(code.toStatus().withDescription("broken on purpose"));
  }

  private static Message emptyReply(String rpc) {
    MethodDescriptor<?, ?> method = CsiRpc.named(rpc).orElseThrow().method();
    return (Message)
        Objects.requireNonNull(
            ((MethodDescriptor.PrototypeMarshaller<?>) method.getResponseMarshaller())
                .getMessagePrototype());
  }
}
