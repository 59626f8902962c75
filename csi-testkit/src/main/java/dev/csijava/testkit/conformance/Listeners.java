package dev.csijava.testkit.conformance;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether a process listens anywhere, by what Linux tells of its descriptors. */
final class Listeners {
  private static final Path PROC = Path.of("/proc");
  private static final Pattern SOCKET = Pattern.compile("socket:\\[([0-9]+)\\]");
  private static final Splitter COLUMNS = Splitter.on(' ').omitEmptyStrings();

  private static final int UNIX_FLAGS = 3;
  private static final int UNIX_INODE = 6;
  private static final String UNIX_ACCEPTS = "00010000";
  private static final int TCP_STATE = 3;
  private static final int TCP_INODE = 9;
  private static final String TCP_LISTENS = "0A";

  private Listeners() {}

  /** Whether the process or one that it started listens; false where that can't be seen. */
  static boolean of(Process process) {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .anyMatch(one -> listens(PROC.resolve(Long.toString(one.pid()))));
  }

  private static boolean listens(Path process) {
    try {
      Set<String> open = sockets(process.resolve("fd"));
      Path net = process.resolve("net");
      return any(net.resolve("unix"), UNIX_FLAGS, UNIX_ACCEPTS, UNIX_INODE, open)
          || any(net.resolve("tcp"), TCP_STATE, TCP_LISTENS, TCP_INODE, open)
          || any(net.resolve("tcp6"), TCP_STATE, TCP_LISTENS, TCP_INODE, open);
    } catch (IOException e) {
      return false; // it has ended, or is somebody else's
    }
  }

  private static Set<String> sockets(Path descriptors) throws IOException {
    Set<String> inodes = new HashSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
      for (Path descriptor : all) {
        Matcher socket = SOCKET.matcher(Files.readSymbolicLink(descriptor).toString());
        if (socket.matches()) {
          inodes.add(socket.group(1));
        }
      }
    }
    return inodes;
  }

  private static boolean any(Path table, int column, String value, int inode, Set<String> open)
      throws IOException {
    if (!Files.exists(table)) {
      return false; // a kernel without it
    }
    for (String line : Files.readAllLines(table)) {
      List<String> words = COLUMNS.splitToList(line);
      if (words.size() > inode
          && words.get(column).equals(value)
          && open.contains(words.get(inode))) {
        return true;
      }
    }
    return false;
  }
}
