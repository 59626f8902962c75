package dev.csijava.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The targets of the design, each computed from figures. */
final class Target {
  private static final String PUBLISH = "PublishBenchmark";
  private static final String PIPELINE = "PipelineBenchmark";
  private static final String LOG = "LogBenchmark";
  private static final String CREATE = "StoreCreateBenchmark";
  private static final String COPY = "CopyBenchmark";
  private static final String MEMORY = "MemoryMeasure";
  private static final String NATIVE = "bySystemCalls";
  private static final Map<String, String> SMALL = Map.of("node", "SMALL");
  private static final Map<String, String> SHIPPED = Map.of("program", "shipped");

  /** Bytes that the profiler counts although nothing is allocated. */
  private static final double NOISE_BYTES = 0.5;

  private final Found found;
  private final List<Verdict> verdicts = new ArrayList<>();

  /**
   * What became of a target.
   *
   * @param word holds, misses, or open where something was not measured
   */
  record Verdict(String what, String wanted, String seen, String word) {}

  private Target(List<Figure> figures) {
    this.found = new Found(figures);
  }

  /** In the order of the design's table. */
  static List<Verdict> judge(List<Figure> figures) {
    Target target = new Target(figures);
    target.publish();
    target.create();
    target.pipeline();
    target.processes();
    target.copies();
    return List.copyOf(target.verdicts);
  }

  private void publish() {
    OptionalDouble calls = found.median(PUBLISH, NATIVE, SMALL);
    OptionalDouble programs = found.median(PUBLISH, "byPrograms", SMALL);
    OptionalDouble bare = found.median(PUBLISH, "emptyCallsAndBareSystemCalls", SMALL);
    atLeast("NodePublish + NodeUnpublish: mount(8) over ours", 20, ratio(programs, calls));
    atMost(
        "NodePublish + NodeUnpublish: ours over empty calls + system calls", 3, ratio(calls, bare));
    OptionalDouble mounts = found.median(PUBLISH, NATIVE, Map.of("node", "MANY_MOUNTS"));
    atMost("the same: 10,000 mounts over 10", 1.5, ratio(mounts, calls));
    OptionalDouble volumes = found.median(PUBLISH, NATIVE, Map.of("node", "MANY_VOLUMES"));
    atMost("the same: 100,000 volumes over 10", 1.5, ratio(volumes, calls));
  }

  private void create() {
    Optional<Figure> few = found.smallest(CREATE, "oneCaller", Map.of(), "volumes");
    Optional<Figure> many = found.largest(CREATE, "oneCaller", Map.of(), "volumes");
    atMost(
        "durable create: " + between("volumes", few, many), 1.5, ratio(median(many), median(few)));
    Optional<Figure> store = found.largest(CREATE, "eightCallers", Map.of(), "volumes");
    Optional<Figure> disk = found.largest(CREATE, "bareByEight", Map.of(), "volumes");
    atMost(
        "8 callers at once: create over the bare steps on disk",
        1.5,
        ratio(median(store), median(disk)));
  }

  private void pipeline() {
    for (String transport : List.of("IN_PROCESS", "UNIX")) {
      OptionalDouble whole =
          found.median(PIPELINE, "call", Map.of("stages", "WHOLE", "transport", transport));
      OptionalDouble bare =
          found.median(PIPELINE, "call", Map.of("stages", "BARE", "transport", transport));
      String way = transport.toLowerCase(Locale.ROOT).replace('_', ' ');
      upTo("pipeline over grpc-java alone, " + way, 10, "us", difference(whole, bare));
    }
    OptionalDouble none = found.allocated(LOG, "withoutStage", Map.of("level", "OFF"));
    OptionalDouble off = found.allocated(LOG, "callThatChanges", Map.of("level", "OFF"));
    OptionalDouble quiet = found.allocated(LOG, "callThatReads", Map.of("level", "INFO"));
    upTo("allocated for a log that is off", NOISE_BYTES, "B", difference(off, none));
    upTo("allocated for a call below the log's level", NOISE_BYTES, "B", difference(quiet, none));
  }

  private void processes() {
    OptionalDouble idle = found.median(MEMORY, "idle", SHIPPED);
    OptionalDouble peer = found.median(MEMORY, "idle", Map.of("program", "peer"));
    atMost("memory idle: ours over the peer with its sidecars", 1, ratio(idle, peer));
    upTo("memory idle, everything on", 72, "MiB", idle);
    upTo("memory after 100,000 calls", 96, "MiB", found.median(MEMORY, "afterCalls", SHIPPED));
    Optional<Figure> kept = found.largest("RestartMeasure", "memory", SHIPPED, "volumes");
    upTo("memory with " + number(kept, "volumes") + " volumes", 256, "MiB", median(kept));
    upTo("start to first Probe", 350, "ms", found.median("StartMeasure", "firstProbe", SHIPPED));
    Optional<Figure> restart = found.largest("RestartMeasure", "firstProbe", SHIPPED, "volumes");
    upTo("restart with " + number(restart, "volumes") + " volumes", 5000, "ms", median(restart));
  }

  private void copies() {
    Map<String, String> shared = Map.of("by", "REFLINK");
    Optional<Figure> small = found.smallest(COPY, "copy", shared, "mebibytes");
    Optional<Figure> large = found.largest(COPY, "copy", shared, "mebibytes");
    atMost(
        "copy with shared blocks: " + between("MiB", "mebibytes", small, large),
        1.5,
        ratio(median(large), median(small)));
    Optional<Figure> ours = found.largest(COPY, "copy", Map.of("by", "BYTES"), "mebibytes");
    Optional<Figure> theirs = found.largest(COPY, "copy", Map.of("by", "CP_AND_SYNC"), "mebibytes");
    atMost(
        "copy of " + number(ours, "mebibytes") + " MiB over cp -a and sync",
        1.3,
        ratio(median(ours), median(theirs)));
  }

  private static String between(String number, Optional<Figure> few, Optional<Figure> many) {
    return between(number, number, few, many);
  }

  private static String between(
      String unit, String number, Optional<Figure> few, Optional<Figure> many) {
    return number(many, number) + " " + unit + " over " + number(few, number);
  }

  private static String number(Optional<Figure> figure, String param) {
    return figure
        .map(one -> String.format(Locale.ROOT, "%,d", Long.valueOf(one.params().get(param))))
        .orElse("?");
  }

  private static OptionalDouble median(Optional<Figure> figure) {
    return figure.stream().mapToDouble(Figure::median).findFirst();
  }

  private static OptionalDouble ratio(OptionalDouble over, OptionalDouble under) {
    return over.isPresent() && under.isPresent()
        ? OptionalDouble.of(over.getAsDouble() / under.getAsDouble())
        : OptionalDouble.empty();
  }

  private static OptionalDouble difference(OptionalDouble more, OptionalDouble less) {
    return more.isPresent() && less.isPresent()
        ? OptionalDouble.of(more.getAsDouble() - less.getAsDouble())
        : OptionalDouble.empty();
  }

  private void atLeast(String what, double bound, OptionalDouble seen) {
    add(what, "at least " + Numbers.of(bound) + " x", " x", seen, seen.orElse(0) >= bound);
  }

  private void atMost(String what, double bound, OptionalDouble seen) {
    add(what, "at most " + Numbers.of(bound) + " x", " x", seen, seen.orElse(0) <= bound);
  }

  private void upTo(String what, double bound, String unit, OptionalDouble seen) {
    add(what, "at most " + Numbers.of(bound, unit), " " + unit, seen, seen.orElse(0) <= bound);
  }

  private void add(String what, String wanted, String unit, OptionalDouble seen, boolean holds) {
    String text = seen.isPresent() ? Numbers.of(seen.getAsDouble()) + unit : "not measured";
    String word = seen.isEmpty() ? "open" : holds ? "holds" : "misses";
    verdicts.add(new Verdict(what, wanted, text, word));
  }
}
