package dev.csijava.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One question that {@code bin/bench} can answer.
 *
 * @param name the simple name of the class that answers it
 * @param whole whether a whole process is measured, not by JMH
 * @param root whether it mounts, and so needs root
 * @param words the question
 * @param brief the values of parameters of a short run; those of the class without
 */
record Question(
    String name, boolean whole, boolean root, String words, Map<String, List<String>> brief) {
  static final List<Question> ALL =
      List.of(
          jmh("StagingPathBenchmark", "What does the name of a staging directory cost?")
              .briefly("length", "36"),
          jmh("PipelineBenchmark", "What does each stage of the pipeline add to grpc-java alone?")
              .briefly("stages", "BARE", "CONTEXT", "THREAD", "REQUEST", "OPERATION", "WHOLE"),
          jmh("RoundTripBenchmark", "What does a call cost, by how it travels?"),
          jmh("OperationsBenchmark", "What do locks and joining cost under contention?"),
          jmh("LogBenchmark", "What does the log cost a call, by its level?"),
          jmh("RedactionBenchmark", "What does taking secrets out add to printing a request?"),
          mounting("StoreCreateBenchmark", "What does making a volume cost, durable?")
              .briefly("volumes", "10", "1000"),
          jmh("StoreListBenchmark", "What does listing volumes cost?")
              .briefly("volumes", "10", "1000"),
          jmh("StoreLoadBenchmark", "How long does reading all records take?")
              .briefly("volumes", "10", "10000"),
          mounting("BindBenchmark", "What do one bind and its unmount cost?")
              .briefly("mounts", "10", "1000"),
          mounting("LookUpBenchmark", "What does asking for one mount cost?")
              .briefly("mounts", "10", "1000"),
          mounting("UsageBenchmark", "What does measuring a volume cost?"),
          mounting("LoopBenchmark", "What do attaching a loop device and releasing it cost?"),
          mounting("CopyBenchmark", "How long does a copy of a volume take, until it is on disk?")
              .briefly("mebibytes", "16", "64"),
          mounting("ChangedBlocksBenchmark", "How long does finding changed blocks take?")
              .briefly("mebibytes", "64"),
          mounting("PublishBenchmark", "What do NodePublish and NodeUnpublish cost on the socket?")
              .briefly("node", "SMALL"),
          process("StartMeasure", "How long does it take from a start to the first Probe?"),
          process("MemoryMeasure", "How much memory does the driver keep?"),
          process("RestartMeasure", "How long does a restart take, by the number of volumes?"),
          process("VersusMeasure", "How do two drivers compare on the same calls?"));

  private static Question jmh(String name, String words) {
    return new Question(name, false, false, words, Map.of());
  }

  private static Question mounting(String name, String words) {
    return new Question(name, false, true, words, Map.of());
  }

  private static Question process(String name, String words) {
    return new Question(name, true, true, words, Map.of());
  }

  private Question briefly(String param, String... values) {
    return new Question(name, whole, root, words, Map.of(param, List.of(values)));
  }

  /** The one whose class has this simple name. */
  static Optional<Question> named(String name) {
    return ALL.stream().filter(question -> question.name.equals(name)).findFirst();
  }

  /**
   * Those whose name begins like this, whatever the case.
   *
   * @throws IllegalArgumentException if there are none
   */
  static List<Question> beginning(String text) {
    String wanted = text.toLowerCase(Locale.ROOT);
    List<Question> found =
        ALL.stream()
            .filter(question -> question.name.toLowerCase(Locale.ROOT).startsWith(wanted))
            .toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "no benchmark begins with " + text + "; --list names all of them");
    }
    return found;
  }
}
