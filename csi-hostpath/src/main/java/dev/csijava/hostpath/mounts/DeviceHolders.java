package dev.csijava.hostpath.mounts;

import dev.csijava.core.mount.MountHolders;
import dev.csijava.core.mount.MountTable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Says who keeps a device open, as far as this process may see it. */
public final class DeviceHolders {
  private static final Path PROC = Path.of("/proc");

  private final LoopFileNames loops = new LoopFileNames();

  private DeviceHolders() {}

  /** Those of this node: from a device node to a sentence. */
  public static Function<Path, String> system() {
    return new DeviceHolders()::sentence;
  }

  private String sentence(Path node) {
    Optional<String> elsewhere = loops.number(node).flatMap(DeviceHolders::elsewhere);
    if (elsewhere.isPresent()) {
      return elsewhere.get();
    }
    try {
      return MountHolders.system().sentence(node, MountTable.read());
    } catch (IOException e) {
      return "the mount table can't be read";
    }
  }

  /**
   * A mount namespace that was made while the file system was mounted has a mount of its own, which
   * our unmount leaves there; no process has to have a file open for it.
   *
   * @param device {@code major:minor}
   */
  private static Optional<String> elsewhere(String device) {
    Set<Path> seen = new HashSet<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      seen.add(namespace(PROC.resolve("self")));
      for (Path process : processes) {
        if (isMountedIn(process, device, seen)) {
          return Optional.of(
              "it is still mounted in the mount namespace of process "
                  + process.getFileName()
                  + name(process)
                  + ", which was made while the volume was mounted here");
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Without /proc the answer is shorter, not different.
    }
    return Optional.empty();
  }

  /** Looks at each namespace once. */
  private static boolean isMountedIn(Path process, String device, Set<Path> seen) {
    try {
      return seen.add(namespace(process))
          && MountTable.read(process.resolve("mountinfo")).all().stream()
              .anyMatch(mount -> mount.device().equals(device));
    } catch (IOException e) {
      // It has ended, or is not for us to see.
      return false;
    }
  }

  private static Path namespace(Path process) throws IOException {
    return Files.readSymbolicLink(process.resolve("ns/mnt"));
  }

  private static String name(Path process) {
    try {
      return " (" + Files.readString(process.resolve("comm")).strip() + ")";
    } catch (IOException e) {
      return "";
    }
  }
}
