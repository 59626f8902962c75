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
 * Puts the shipped driver together: jars, a run time of the modules it needs, and an archive of its
 * classes that is trained by starting it and calling it. Run by the build of csi-hostpath with the
 * driver's own class path, on the JDK that is shipped. Arguments: the folder to make, the folder of
 * the module, the time of all files (ISO instant).
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

  /** The archive refuses jars of another time, and an unpacked tarball has these times. */
  private void setTimes() throws IOException {
    try (Stream<Path> all = Files.walk(home)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!Files.isSymbolicLink(path)) {
          Files.setLastModifiedTime(path, time);
        }
      }
    }
  }

  private void archive() throws Exception {
    Path work = Files.createTempDirectory("csi-train");
    try {
      Path classes = work.resolve("classes.txt");
      train(work, classes);
      run(
          javaCommand(
              "-Xshare:dump",
              // It tells of each class that can't be archived; those are few and old.
              "-Xlog:disable",
              "-Xlog:all=error:stderr",
              "-XX:SharedClassListFile=" + classes,
              "-XX:SharedArchiveFile=" + home.resolve("lib/csi-hostpath.jsa"),
              "-jar",
              jar()));
    } finally {
      try (Stream<Path> left = Files.walk(work)) {
        for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
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

  private static void run(List<String> command) throws Exception {
    int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (exit != 0) {
      throw new IllegalStateException(command + " ended with " + exit);
    }
  }

  /** One life of the driver, so that the archive has what a start and the usual calls need. */
  private void train(Path work, Path classes) throws Exception {
    TrainingLife life = new TrainingLife(work);
    List<String> command =
        javaCommand("-Xshare:off", "-XX:DumpLoadedClassList=" + classes, "-jar", jar());
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
      if (!driver.waitFor(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the driver did not stop");
      }
    } finally {
      driver.destroyForcibly().waitFor();
    }
  }
}
