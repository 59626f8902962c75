package dev.csijava.hostpath.testing;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The loop devices of this machine as the kernel lists them. */
public final class Loops {
  private Loops() {}

  /** The names of the files below a folder that are attached, by device node. */
  public static Map<Path, String> below(Path folder) throws IOException {
    Map<Path, String> found = new TreeMap<>();
    try (DirectoryStream<Path> devices = Files.newDirectoryStream(Path.of("/sys/block"), "loop*")) {
      for (Path device : devices) {
        String file = file(device);
        if (file.startsWith(folder + "/")) {
          found.put(Path.of("/dev").resolve(device.getFileName()), file);
        }
      }
    }
    return found;
  }

  private static String file(Path device) {
    try {
      return Files.readString(device.resolve("loop/backing_file")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Detaches what a test left. */
  public static void detachBelow(Path folder) throws IOException {
    for (Path node : below(folder).keySet()) {
      Programs.run("losetup", "--detach", node.toString());
    }
  }
}
