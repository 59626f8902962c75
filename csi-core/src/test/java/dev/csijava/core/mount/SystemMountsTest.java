package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemMountsTest {
  private static final int MAJOR_VERSION_OFFSET = 7;

  @TempDir Path directory;

  /** Works. */
  public static class Working implements MounterProvider {
    @Override
    public String name() {
      return "magic";
    }

    @Override
    public Optional<String> unavailable() {
      return Optional.empty();
    }

    @Override
    public Mounter mounter(Mounter programs) {
      return new FailingMounter();
    }

    @Override
    public UsageReader usageReader(UsageReader programs) {
      return programs;
    }
  }

  /** Says why not. */
  public static final class Refusing extends Working {
    @Override
    public Optional<String> unavailable() {
      return Optional.of("the kernel is too old; use a newer one");
    }
  }

  /** Fails as the JVM does where native access is denied. */
  public static final class Denied extends Working {
    @Override
    public Optional<String> unavailable() {
      throw new ExceptionInInitializerError(new IllegalCallerException("illegal native access"));
    }
  }

  /** Can't be made. */
  public static final class Broken extends Working {
    public Broken() {
      throw new IllegalStateException("broken");
    }
  }

  /** A class path with these providers and nothing else beside ours. */
  private ClassLoader with(String... providers) throws IOException {
    Path services =
        Files.createDirectories(directory.resolve("META-INF/services"))
            .resolve(MounterProvider.class.getName());
    Files.write(services, List.of(providers));
    return new URLClassLoader(new URL[] {directory.toUri().toURL()}, getClass().getClassLoader()) {
      @Override
      public Enumeration<URL> getResources(String name) throws IOException {
        return findResources(name);
      }
    };
  }

  @Test
  void withoutAProviderProgramsAreUsedAndTheSentenceSaysWhatToAdd() throws IOException {
    SystemMounts chosen = SystemMounts.choose(with());
    assertThat(chosen.mounter()).isInstanceOf(ProgramMounter.class);
    assertThat(chosen.usageReader()).isInstanceOf(ProgramUsageReader.class);
    assertThat(chosen.sentence()).contains("mount(8)", "add csi-native");
  }

  @Test
  void aWorkingProviderIsUsed() throws IOException {
    SystemMounts chosen = SystemMounts.choose(with(Working.class.getName()));
    assertThat(chosen.mounter()).isInstanceOf(FailingMounter.class);
    assertThat(chosen.sentence()).isEqualTo("mounts are made by magic");
  }

  @Test
  void oneThatCannotWorkSaysWhy() throws IOException {
    SystemMounts chosen = SystemMounts.choose(with(Refusing.class.getName()));
    assertThat(chosen.mounter()).isInstanceOf(ProgramMounter.class);
    assertThat(chosen.sentence()).endsWith("mount(8): the kernel is too old; use a newer one");
  }

  @Test
  void deniedNativeAccessIsNamedWithItsSwitch() throws IOException {
    SystemMounts chosen = SystemMounts.choose(with(Denied.class.getName()));
    assertThat(chosen.mounter()).isInstanceOf(ProgramMounter.class);
    assertThat(chosen.sentence()).contains("denied", "--enable-native-access=ALL-UNNAMED");
  }

  @Test
  void aProviderThatCannotBeMadeIsSkippedForTheNext() throws IOException {
    assertThat(SystemMounts.choose(with(Broken.class.getName(), Working.class.getName())).mounter())
        .isInstanceOf(FailingMounter.class);
    assertThat(SystemMounts.choose(with(Broken.class.getName(), "no.such.Class")).sentence())
        .contains("mount(8)", "can't be loaded");
  }

  @Test
  void classFilesOfANewerJdkAreNoErrorAndTheSentenceNamesTheJdk() throws IOException {
    String name = "dev.csijava.core.mount.SystemMountsTest$Working";
    String file = name.replace('.', '/') + ".class";
    byte[] newer;
    try (InputStream in = getClass().getClassLoader().getResourceAsStream(file)) {
      newer = in.readAllBytes();
    }
    newer[MAJOR_VERSION_OFFSET] = 120;
    ClassLoader found = with(name, Refusing.class.getName());
    ClassLoader loader =
        new ClassLoader(found) {
          @Override
          protected Class<?> loadClass(String wanted, boolean resolve)
              throws ClassNotFoundException {
            return wanted.equals(name)
                ? defineClass(name, newer, 0, newer.length)
                : super.loadClass(wanted, resolve);
          }
        };
    assertThat(SystemMounts.choose(loader).sentence()).contains("use a newer one");
    Files.write(
        directory.resolve("META-INF/services/" + MounterProvider.class.getName()), List.of(name));
    SystemMounts chosen = SystemMounts.choose(loader);
    assertThat(chosen.mounter()).isInstanceOf(ProgramMounter.class);
    assertThat(chosen.sentence())
        .contains("JDK " + Runtime.version().feature() + " is too old", "JDK 22 or newer");
  }

  @Test
  void loopDevicesAreThoseOfAProviderThatHasThem() throws IOException {
    assertThat(loops(with()).sentence()).contains("losetup(8)", "add csi-native");
    assertThat(loops(with(Working.class.getName())).sentence())
        .isEqualTo("loop devices are attached by losetup(8): magic has no loop devices");
    assertThat(loops(with(Refusing.class.getName())).sentence()).endsWith("use a newer one");
    assertThat(loops(with(Denied.class.getName())).sentence()).contains("--enable-native-access");
    SystemLoops chosen = loops(with(WithLoops.class.getName()));
    assertThat(chosen.sentence()).isEqualTo("loop devices are attached by magic");
    assertThat(chosen.devices("one")).isInstanceOf(ProgramLoopDevices.class);
  }

  private static SystemLoops loops(ClassLoader loader) {
    return SystemLoops.choose(Providers.find(loader, SystemLoops::whyNot));
  }

  @Test
  void aTagOfLoopDevicesIsShortAndPrintable() {
    for (String bad : List.of("", "a b", "ü", "x".repeat(64))) {
      assertThat(catchThrowable(() -> LoopDevices.system(bad)))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Has loop devices. */
  public static final class WithLoops extends Working {
    @Override
    public Optional<String> loopDevicesUnavailable() {
      return Optional.empty();
    }
  }

  /** Only its type matters. */
  private static final class FailingMounter implements Mounter {
    @Override
    public void bind(Path source, Path target, MountOptions options) {
      throw new AssertionError();
    }

    @Override
    public void mount(String source, Path target, String type, List<String> options) {
      throw new AssertionError();
    }

    @Override
    public void unmount(Path target) {
      throw new AssertionError();
    }

    @Override
    public Optional<Mount> mountAt(Path target) {
      throw new AssertionError();
    }

    @Override
    public boolean isMountOf(Path source, Path target) {
      throw new AssertionError();
    }
  }
}
