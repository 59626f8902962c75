import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Puts the shipped driver together: jars, a run time of the modules it needs, and a cache of its
 * classes, linked, that is trained by starting it and calling it. Run by the build of csi-hostpath
 * with the driver's own class path, on the JDK that is shipped. Arguments: the folder to make, the
 * folder of the module, the time of all files (ISO instant).
 */
public final class Distribution {
  /** Beside what jdeps finds: metrics of the machine, HTTP for health, Unsafe for Netty. */
  private static final String MODULES =
      "java.base,java.logging,java.management,java.naming,jdk.management,jdk.httpserver,"
          + "jdk.net,jdk.unsupported";

  private final Path home;
  private final Path module;
  private final FileTime time;

  private Distribution(Path home, Path module, FileTime time) {
    this.home = home;
    this.module = module;
    this.time = time;
  }

  public static void main(String[] arguments) throws Exception {
    if (System.getProperty("os.name").equals("Linux")) {
      new Distribution(
              Path.of(arguments[0]).toAbsolutePath(),
              Path.of(arguments[1]).toAbsolutePath(),
              FileTime.from(Instant.parse(arguments[2])))
          .make();
    }
  }

  private void make() throws Exception {
    deleteOld();
    Files.createDirectories(home.resolve("lib"));
    Files.createDirectories(home.resolve("bin"));
    Path dist = module.resolve("src/dist");
    copy(dist.resolve("csi-hostpath"), home.resolve("bin/csi-hostpath"), "rwxr-xr-x");
    copy(dist.resolve("java.options"), home.resolve("lib/java.options"), "rw-r--r--");
    copy(dist.resolve("README.md"), home.resolve("README.md"), "rw-r--r--");
    Path target = module.resolve("target");
    try (Stream<Path> jars = Files.list(target)) {
      for (Path jar : jars.filter(Distribution::isMainJar).toList()) {
        copy(jar, home.resolve(jar.getFileName()), "rw-r--r--");
      }
    }
    try (Stream<Path> jars = Files.list(target.resolve("lib"))) {
      for (Path jar : jars.toList()) {
        copy(jar, home.resolve("lib").resolve(jar.getFileName()), "rw-r--r--");
      }
    }
    Files.createDirectories(home.resolve("licenses"));
    copy(module.resolve("../LICENSE"), home.resolve("licenses/LICENSE"), "rw-r--r--");
    copy(
        target.resolve("generated-sources/license/THIRD-PARTY.txt"),
        home.resolve("licenses/THIRD-PARTY.txt"),
        "rw-r--r--");
    runtime();
    setTimes();
    archive();
    setTimes();
  }

  private static boolean isMainJar(Path file) {
    return file.getFileName().toString().matches("csi-hostpath-[0-9.]+(-SNAPSHOT)?\\.jar");
  }

  private void deleteOld() throws IOException {
    if (Files.exists(home)) {
      try (Stream<Path> old = Files.walk(home)) {
        for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  private static void copy(Path from, Path to, String mode) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString(mode));
  }

  private void runtime() {
    int result =
        ToolProvider.findFirst("jlink")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "--add-modules",
                MODULES,
                "--output",
                home.resolve("runtime").toString(),
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                "--vm",
                "server",
                "--compress",
                "zip-6");
    if (result != 0) {
      throw new IllegalStateException("jlink failed with " + result);
    }
  }

  /** The cache is refused for jars of another time, and an unpacked tarball has these times. */
  private void setTimes() throws IOException {
    try (Stream<Path> all = Files.walk(home)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!Files.isSymbolicLink(path)) {
          Files.setLastModifiedTime(path, time);
        }
      }
    }
  }

  /** The cache, and what the launcher knows the jars by that it was made from. */
  private void archive() throws Exception {
    Path work = Files.createTempDirectory("csi-train");
    try {
      train(work);
    } finally {
      try (Stream<Path> left = Files.walk(work)) {
        for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
    Path list = home.resolve("lib/csi-hostpath.jars");
    Files.writeString(list, jarList());
    Files.setPosixFilePermissions(list, PosixFilePermissions.fromString("rw-r--r--"));
  }

  /** As stat(1) prints name, size and time for names that the shell found. */
  private String jarList() throws IOException {
    StringBuilder list = new StringBuilder();
    for (String folder : List.of("", "lib")) {
      try (Stream<Path> files = Files.list(home.resolve(folder))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".jar")).sorted().toList()) {
          long seconds = Files.getLastModifiedTime(file).to(TimeUnit.SECONDS);
          list.append(home.relativize(file) + " " + Files.size(file) + " " + seconds + "\n");
        }
      }
    }
    return list.toString();
  }

  private String jar() throws IOException {
    try (Stream<Path> jars = Files.list(home)) {
      return jars.filter(Distribution::isMainJar).findFirst().orElseThrow().toString();
    }
  }

  private List<String> javaCommand(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("runtime/bin/java").toString());
    command.add("@" + home.resolve("lib/java.options"));
    command.addAll(List.of(arguments));
    return command;
  }

  /** One life of the driver, so that the cache has what a start and the usual calls need. */
  private void train(Path work) throws Exception {
    Path cache = home.resolve("lib/csi-hostpath.aot");
    TrainingLife life = new TrainingLife(work);
    List<String> command =
        javaCommand(
            "-XX:AOTCacheOutput=" + cache,
            // Profiles serve a compiler that is not used, and make it compile at once.
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTRecordTraining",
            "-jar",
            jar());
    command.addAll(life.flags());
    Process driver =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(work.resolve("log").toFile())
            .start();
    try {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!life.isServing()) {
        if (!driver.isAlive() || System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "the driver did not start: " + Files.readString(work.resolve("log")));
        }
        Thread.sleep(50);
      }
      life.live();
      driver.destroy();
      // It writes the cache before it ends, in a second Java machine.
      if (!driver.waitFor(5, TimeUnit.MINUTES) || !Files.exists(cache)) {
        throw new IllegalStateException(
            "no start-up cache: " + Files.readString(work.resolve("log")));
      }
    } finally {
      driver.destroyForcibly().waitFor();
    }
  }
}
