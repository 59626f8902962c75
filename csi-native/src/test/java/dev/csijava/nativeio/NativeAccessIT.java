package dev.csijava.nativeio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.mount.Mounter;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a JVM that is started with these switches uses and says, each in a process of its own. */
class NativeAccessIT {
  private static final String CHOSEN = "mounts are made by";

  /** Asks twice. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      Mounter first = Mounter.system();
      if (!Mounter.system().equals(first)) {
        throw new AssertionError("chosen twice");
      }
    }
  }

  private static String output(String... switches) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(switches));
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream out = process.getInputStream()) {
      String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(text).isZero();
      assertThat(text.split(CHOSEN, -1)).as(text).hasSize(2);
      return text;
    }
  }

  @Test
  void withTheSwitchSystemCallsAreUsedAndTheJvmIsQuiet() throws Exception {
    assertThat(output("--enable-native-access=ALL-UNNAMED"))
        .containsAnyOf(CHOSEN + " system calls", "CAP_SYS_ADMIN")
        .doesNotContain("WARNING");
  }

  @Test
  void deniedAccessIsOneLineThatNamesTheSwitch() throws Exception {
    assertThat(output("--illegal-native-access=deny"))
        .contains(CHOSEN + " mount(8): native access is denied", "--enable-native-access")
        .doesNotContain("WARNING", "Exception");
  }

  @Test
  void anotherProcessorOrSystemIsOneLineThatNamesThoseThatWork() throws Exception {
    assertThat(output("-Dos.arch=riscv64"))
        .contains(CHOSEN + " mount(8): system calls are made on Linux on x86-64 and aarch64 only")
        .doesNotContain("WARNING");
  }
}
