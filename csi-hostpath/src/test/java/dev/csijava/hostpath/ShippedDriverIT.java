package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The tarball as an operator gets it: unpacked elsewhere, in an environment without Java. */
class ShippedDriverIT {
  private static final String VERSION = System.getProperty("csi.version", "");

  @TempDir static Path folder;
  private static Path home = Path.of("");

  private record Ran(int exit, String output) {}

  @BeforeAll
  static void unpack() throws Exception {
    Path tarball = Path.of("target", "csi-hostpath-" + VERSION + "-linux-x86_64.tar.gz");
    assumeTrue(
        System.getProperty("os.arch").equals("amd64"), "the tarball is for Linux on x86-64 only");
    assertThat(tarball).exists();
    Ran tar = run(List.of("tar", "-xzpf", tarball.toAbsolutePath().toString(), "-C", "" + folder));
    assertThat(tar.exit()).as(tar.output()).isZero();
    home = folder.toRealPath().resolve("csi-hostpath-" + VERSION);
  }

  private static Ran run(List<String> command, String... javaOptions) throws Exception {
    Process process = builder(command, String.join(" ", javaOptions)).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), output);
  }

  private static ProcessBuilder builder(List<String> command, String javaOptions) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    builder.environment().put("CSI_HOSTPATH_JAVA_OPTS", javaOptions);
    return builder;
  }

  private static List<String> driver(String... flags) {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/csi-hostpath").toString()));
    command.addAll(List.of(flags));
    return command;
  }

  /** The cache fits the unpacked jars, else the Java machine would end at once. */
  @Test
  void itStartsFromItsCacheWithoutAWordOfTheJavaMachine() throws Exception {
    Ran version = run(driver("--version"), "-XX:AOTMode=on");
    assertThat(version).isEqualTo(new Ran(0, "csi-hostpath " + VERSION + "\n"));
  }

  /** Nothing that the driver does not use, and no compiler or debugger that an intruder would. */
  @Test
  void itsJavaIsTrimmedToWhatTheDriverUses() throws Exception {
    Path runtime = home.resolve("runtime");
    Ran modules = run(List.of(runtime.resolve("bin/java").toString(), "--list-modules"));
    assertThat(modules.output().lines().map(line -> line.replaceFirst("@25\\..*", "")))
        .containsExactlyInAnyOrder(
            "java.base",
            "java.logging",
            "java.management",
            "java.naming",
            "java.security.sasl",
            "jdk.httpserver",
            "jdk.management",
            "jdk.net",
            "jdk.unsupported");
    assertThat(runtime.resolve("include")).doesNotExist();
    assertThat(runtime.resolve("man")).doesNotExist();
    assertThat(runtime.resolve("lib/src.zip")).doesNotExist();
  }

  /** A folder on the class path would make the Java machine refuse the cache. */
  @Test
  void itsClassPathIsMadeOfJarsOnly() throws IOException {
    List<String> entries;
    try (JarFile jar = new JarFile(mainJar().toString())) {
      entries =
          List.of(jar.getManifest().getMainAttributes().getValue("Class-Path").split(" ", -1));
    }
    try (Stream<Path> lib = Files.list(home.resolve("lib"))) {
      assertThat(entries)
          .allMatch(entry -> entry.endsWith(".jar"))
          .containsExactlyInAnyOrderElementsOf(
              lib.map(file -> "lib/" + file.getFileName())
                  .filter(name -> name.endsWith(".jar"))
                  .toList());
    }
  }

  @Test
  void memoryIsLimitedAndTheOperatorsOwnLimitsWin() throws Exception {
    Ran shipped = run(driver("--version"), "-XX:+PrintFlagsFinal");
    assertThat(shipped.output())
        .containsPattern(" UseSerialGC +:?= true")
        .containsPattern(" UseCompactObjectHeaders +:?= true")
        .containsPattern(" MaxHeapSize +:?= " + (160 << 20) + " ")
        .containsPattern(" MaxDirectMemorySize +:?= " + (32 << 20) + " ")
        .containsPattern(" ReservedCodeCacheSize +:?= " + (24 << 20) + " ")
        .containsPattern(" ThreadStackSize +:?= 256 ")
        .containsPattern(" ExitOnOutOfMemoryError +:?= true");
    Ran own = run(driver("--version"), "-XX:+PrintFlagsFinal", "-Xmx320m");
    assertThat(own.output()).containsPattern(" MaxHeapSize +:?= " + (320 << 20) + " ");
  }

  @Test
  void itsHelpTellsOfEveryFlagAndCommand() throws Exception {
    helpIsWhole(Main.commandLine(Map.of()), List.of("--help"));
  }

  private static void helpIsWhole(CommandLine command, List<String> arguments) throws Exception {
    Ran help = run(driver(arguments.toArray(new String[0])));
    assertThat(help.exit()).as(help.output()).isZero();
    for (OptionSpec option : command.getCommandSpec().options()) {
      for (String name : option.names()) {
        assertThat(help.output()).containsPattern("(?m)" + name + "\\b");
      }
      assertThat(option.description()).as(option.longestName()).isNotEmpty();
    }
    for (Map.Entry<String, CommandLine> each : command.getSubcommands().entrySet()) {
      assertThat(help.output()).contains("  " + each.getKey() + " ");
      List<String> inner = new ArrayList<>(arguments);
      inner.add(inner.size() - 1, each.getKey());
      helpIsWhole(each.getValue(), inner);
    }
  }

  /** What a patched library does must not be hidden either. */
  @Test
  void aCacheOfAnotherLibraryIsRefused() throws Exception {
    Path jar = home.resolve("lib/csi-core-" + VERSION + ".jar");
    Path original = Files.copy(jar, folder.resolve("original-library.jar"));
    FileTime time = Files.getLastModifiedTime(jar);
    try {
      repack(original, jar);
      Ran strict = run(driver("--version"), "-XX:AOTMode=on");
      assertThat(strict.exit()).as(strict.output()).isNotZero();
      Ran patched = run(driver("--version"));
      assertThat(patched.exit()).as(patched.output()).isZero();
      assertThat(patched.output()).contains("starting without it");
    } finally {
      Files.delete(jar);
      Files.move(original, jar);
      Files.setLastModifiedTime(jar, time);
    }
  }

  private static Path mainJar() {
    return home.resolve("csi-hostpath-" + VERSION + ".jar");
  }

  /** The Java machine itself would run the old code: what patches a jar must not be hidden. */
  @Test
  void aCacheOfOtherJarsIsRefusedAndTheirCodeRuns() throws Exception {
    Path jar = mainJar();
    Path original = Files.copy(jar, folder.resolve("original.jar"));
    FileTime time = Files.getLastModifiedTime(jar);
    try {
      repack(original, jar);
      Ran strict = run(driver("--version"), "-XX:AOTMode=on");
      assertThat(strict.exit()).as(strict.output()).isNotZero();
      Ran patched = run(driver("--version"));
      assertThat(patched.exit()).as(patched.output()).isZero();
      assertThat(patched.output()).contains("csi-hostpath patched");
    } finally {
      Files.delete(jar);
      Files.move(original, jar);
      Files.setLastModifiedTime(jar, time);
    }
  }

  /** The same classes under another version. */
  private static void repack(Path original, Path jar) throws IOException {
    try (JarFile from = new JarFile(original.toString())) {
      Manifest manifest = from.getManifest();
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "patched");
      try (OutputStream out = Files.newOutputStream(jar);
          JarOutputStream to = new JarOutputStream(out, manifest)) {
        for (JarEntry entry : from.stream().toList()) {
          if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
            to.putNextEntry(new JarEntry(entry.getName()));
            try (InputStream in = from.getInputStream(entry)) {
              in.transferTo(to);
            }
          }
        }
      }
    }
  }

  @Test
  void itServesAndStopsWhenTold() throws Exception {
    Path socket = folder.resolve("csi.sock");
    // Into a file: to end a process closes what could still be read from it.
    Path log = folder.resolve("log");
    Process process =
        builder(
                driver(
                    "--nodeid=node-1",
                    "--endpoint=unix://" + socket,
                    "--statedir=" + folder.resolve("state"),
                    "--rundir=" + folder.resolve("run")),
                "")
            .redirectOutput(log.toFile())
            .start();
    try {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!answers(socket) || !Files.readString(log).contains("serves unix://" + socket)) {
        assertThat(process.isAlive()).isTrue();
        assertThat(System.nanoTime()).isLessThan(deadline);
        Thread.sleep(20);
      }
      assertThat(filesOf(process))
          .anyMatch(file -> file.equals(home.resolve("runtime/lib/server/libjvm.so").toString()))
          .allMatch(ShippedDriverIT::isItsOwnOrTheCLibrarys);
    } finally {
      process.destroy();
    }
    assertThat(process.waitFor()).isEqualTo(143);
    assertThat(log)
        .content()
        .contains("serves unix://" + socket)
        .doesNotContainIgnoringCase("warning");
    assertThat(socket).doesNotExist();
  }

  /** What a process has mapped; of a bare Debian that may be the C library and its locale. */
  private static List<String> filesOf(Process process) throws IOException {
    try (Stream<String> maps = Files.lines(Path.of("/proc/" + process.pid() + "/maps"))) {
      return maps.filter(line -> line.indexOf('/') >= 0)
          .map(line -> line.substring(line.indexOf('/')))
          .distinct()
          .toList();
    }
  }

  private static boolean isItsOwnOrTheCLibrarys(String file) {
    return file.startsWith(home + "/")
        || file.startsWith("/usr/lib/locale/")
        || file.matches("(/usr)?/lib(64)?/.*gconv-modules.cache")
        || file.matches(
            "(/usr)?/lib(64)?/([a-z0-9_-]+/)?(ld-linux|lib(c|m|dl|rt|pthread|nss))[-._].*");
  }

  private static boolean answers(Path socket) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      // Not there, or bound a moment ago and not listening yet.
      return false;
    }
  }

  @Test
  void itSaysWhatIsInsideAndUnderWhichLicence() throws IOException {
    String list = Files.readString(home.resolve("licenses/THIRD-PARTY.txt"));
    assertThat(home.resolve("licenses/LICENSE")).isNotEmptyFile();
    assertThat(home.resolve("runtime/legal/java.base")).isNotEmptyDirectory();
    try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .filteredOn(name -> name.endsWith(".jar") && !name.startsWith("csi-"))
          .isNotEmpty()
          .allSatisfy(name -> assertThat(list).contains(coordinates(name)));
    }
  }

  /** {@code gson-2.14.0.jar} stands in the list as {@code :gson:2.14.0}. */
  private static String coordinates(String jar) {
    return jar.replaceFirst("^(.*?)-([0-9].*)\\.jar$", ":$1:$2");
  }
}
