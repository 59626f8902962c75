package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.Proves;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemProgramsTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final ProgramRunner programs = new SystemPrograms();

  @BeforeAll
  static void needsAShell() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "there is no /bin/sh on this system");
  }

  private static ProgramCommand sh(String script) {
    return ProgramCommand.of("sh", "-c", script);
  }

  @Test
  void bothOutputsAndTheExitCodeAreKept() throws IOException {
    ProgramResult result = programs.run(sh("echo out; echo err >&2; exit 7"), LONG);
    assertThat(result).isEqualTo(new ProgramResult(7, false, false, "out\n", "err\n"));
    assertThat(result.succeeded()).isFalse();
    assertThat(result.words(sh(""))).isEqualTo("sh answered 7 and said: err");
  }

  @Test
  void inputIsAtItsEndAndMessagesAreInEnglish() throws IOException {
    assertThat(programs.run(sh("cat; echo $LC_ALL$LANGUAGE"), LONG).stdout()).isEqualTo("C\n");
  }

  @Test
  void moreOutputThanAPipeHoldsIsDrainedAndBounded() throws IOException {
    ProgramResult result =
        programs.run(sh("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2"), LONG);
    assertThat(result.succeeded()).isTrue();
    assertThat(result.stdout()).hasSize(SystemPrograms.KEPT_OUTPUT_BYTES);
    assertThat(result.stderr()).hasSize(SystemPrograms.KEPT_OUTPUT_BYTES);
  }

  @Test
  void atTheDeadlineTheProgramAndItsChildrenAreKilled() throws Exception {
    ProgramResult result;
    int millis = 500;
    do { // On a machine that stalls the program may not get to its first word.
      result = programs.run(sh("sleep 1000 & echo $!; wait"), Duration.ofMillis(millis));
      millis *= 4;
    } while (result.stdout().isBlank() && millis < 60_000);
    assertThat(result.timedOut()).isTrue();
    assertThat(result.stillRunning()).isFalse();
    assertThat(result.exitCode()).isEqualTo(-1);
    assertThat(ProcessHandle.of(Long.parseLong(result.stdout().strip())).stream())
        .filteredOn(ProcessHandle::isAlive)
        .isEmpty();
  }

  /** A helper in a call that no signal ends may mount even now: then nothing is certain. */
  @Test
  void aChildThatTheKernelHoldsCountsAsStillRunning() {
    assertThat(SystemPrograms.kill(new WithChild(true), new SystemPrograms.Patience())).isFalse();
    assertThat(SystemPrograms.kill(new WithChild(false), new SystemPrograms.Patience())).isTrue();
  }

  /** Has ended itself, and has a child that lives on after it was killed, or does not. */
  private static final class WithChild extends Process {
    private final ProcessHandle child;

    WithChild(boolean alive) {
      child =
          (ProcessHandle)
              Proxy.newProxyInstance(
                  ProcessHandle.class.getClassLoader(),
                  new Class<?>[] {ProcessHandle.class},
                  (proxy, method, arguments) ->
                      switch (method.getName()) {
                        case "destroyForcibly" -> true;
                        case "isAlive" -> alive;
                        default ->
                            throw new AssertionError("nobody may ask for " + method.getName());
                      });
    }

    @Override
    public Stream<ProcessHandle> descendants() {
      return Stream.of(child);
    }

    @Override
    public OutputStream getOutputStream() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream getInputStream() {
      return InputStream.nullInputStream();
    }

    @Override
    public InputStream getErrorStream() {
      return InputStream.nullInputStream();
    }

    @Override
    public int waitFor() {
      return 0;
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) {
      return true;
    }

    @Override
    public int exitValue() {
      return 0;
    }

    @Override
    public void destroy() {}

    @Override
    public Process destroyForcibly() {
      return this;
    }
  }

  @Test
  void aDaemonThatHoldsTheOutputDoesNotHoldTheCaller(@TempDir Path dir) throws IOException {
    Path pid = dir.resolve("pid");
    ProgramResult result =
        programs.run(sh("sleep 600 & echo $! > '" + pid + "'; echo started"), LONG);
    ProcessHandle daemon =
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
    try {
      assertThat(result.succeeded()).isTrue();
      assertThat(result.stdout()).isEqualTo("started\n");
      assertThat(daemon.isAlive()).isTrue();
    } finally {
      daemon.destroyForcibly();
    }
  }

  @Test
  void anInterruptNeitherStopsTheProgramNorGetsLost() throws IOException {
    Thread.currentThread().interrupt();
    ProgramResult result = programs.run(sh("sleep 0.2; echo done"), LONG);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.stdout()).isEqualTo("done\n");
  }

  @Test
  void secretsAreStruckOutOfWhatIsPrinted() throws IOException {
    String script = "echo \"bad option $0\" >&2; echo \"bad ${0#*password=}\" >&2; exit 1";
    ProgramCommand command = sh(script).withSecret("user=al,password=s3cret,ro");
    ProgramResult result = programs.run(command, LONG);
    assertThat(result.stderr()).isEqualTo("bad option ***\nbad ***,ro\n");
    assertThat(command.toString()).doesNotContain("s3cret").endsWith(" ***");
    assertThat(command.redact("user=al ro password=s3cret al")).isEqualTo("*** ro *** al");
    assertThat(command.arguments()).contains("user=al,password=s3cret,ro");
  }

  @Test
  void whatHidesNothingDoesNotGarbleTheSentence() {
    ProgramCommand command = ProgramCommand.of("mount", "-o").withSecret("ro");
    assertThat(command.redact("wrong fs type, bad option")).isEqualTo("wrong fs type, bad option");
    assertThat(command).hasToString("mount -o ***");
    ProgramCommand secret = ProgramCommand.of("mount", "-o").withSecret("ro,pass=one,two");
    assertThat(secret.redact("bad ro,pass=one,two")).isEqualTo("bad ***");
  }

  /** The canary test of child processes: argument, output and failure are logged at every level. */
  @Test
  @Proves("GEN-SEC-007")
  void noLogAtAnyLevelHasASecretArgument() throws IOException {
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(new SimpleFormatter().format(line));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.csijava.core.mount");
    handler.setLevel(Level.ALL);
    logger.addHandler(handler);
    logger.setLevel(Level.ALL);
    String canary = "canary-in-the-coal-mine";
    try {
      ProgramCommand command = sh("echo \"$0\" >&2; exit 1").withSecret("password=" + canary);
      ProgramResult result = programs.run(command, LONG);
      assertThat(result.toString() + command).doesNotContain(canary);
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(null);
    }
    assertThat(lines).isNotEmpty().noneMatch(line -> line.contains(canary));
    assertThat(lines).anyMatch(line -> line.contains("***"));
  }

  @Test
  void whatCannotBeStartedIsAnIoException() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> programs.run(ProgramCommand.of("csi-no-such-program"), LONG));
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> programs.run(ProgramCommand.of("true", "lone \ud800 surrogate"), LONG))
        .withMessageContaining("LC_ALL=C.UTF-8");
  }
}
