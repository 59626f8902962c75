package dev.csijava.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.testkit.cli.OwnJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kit's JUnit class under JUnit 6, in parallel, in a JVM that has no other JUnit. */
class JunitSixTest {
  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void runsTheCases() throws IOException, InterruptedException {
    Path console = console();
    List<String> classPath = OwnJvm.classPath();
    classPath.removeIf(
        entry ->
            String.valueOf(Path.of(entry).getFileName())
                .matches("(junit|opentest4j|apiguardian).*"));
    classPath.add(console.toString());
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                OwnJvm.java(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                String.join(":", classPath),
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                "--select-class",
                SomeCases.class.getName(),
                "--select-class",
                CasesSideBySide.class.getName(),
                "--config=junit.jupiter.execution.parallel.enabled=true",
                "--config=junit.jupiter.execution.parallel.config.strategy=fixed",
                "--config=junit.jupiter.execution.parallel.config.fixed.parallelism=4",
                "--config=junit.jupiter.execution.parallel.config.fixed.max-pool-size=8",
                "--details=tree",
                "--disable-ansi-colors")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(output);
    assertThat(process.exitValue()).as(text).isZero();
    assertThat(text).containsPattern("\\[ +[1-9][0-9]+ tests successful +\\]");
    assertThat(text).containsPattern("\\[ +0 tests failed +\\]");
  }

  /** The build puts it there. */
  private static Path console() throws IOException {
    Path folder = Path.of("target", "junit-6");
    assumeTrue(Files.isDirectory(folder), "the build has put no JUnit 6 into " + folder);
    try (Stream<Path> jars = Files.list(folder)) {
      return jars.filter(jar -> jar.toString().endsWith(".jar")).findFirst().orElseThrow();
    }
  }
}
