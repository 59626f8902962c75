package dev.csijava.hostpath.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.nativeio.DirectoryEntry;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.NodeStatus;
import dev.csijava.nativeio.NodeType;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenFile;
import dev.csijava.nativeio.OpenNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** All that can be seen of a tree, one line an entry, so that two can be compared. */
public final class TreePicture {
  private static final long MOST_READ = 64 << 20;

  private final Map<String, String> lines = new TreeMap<>();
  private final Map<Long, String> firstNames = new HashMap<>();
  private final boolean holes;

  private TreePicture(boolean holes) {
    this.holes = holes;
  }

  /** With its holes, which only the same kind of file system keeps to the byte. */
  public static Map<String, String> of(Path root) throws Exception {
    return of(root, true);
  }

  static Map<String, String> of(Path root, boolean holes) throws Exception {
    TreePicture picture = new TreePicture(holes);
    try (OpenDirectory directory = OpenDirectory.at(root)) {
      picture.lines.put("", picture.line("", directory));
      picture.add("", directory);
    }
    return picture.lines;
  }

  private void add(String at, OpenDirectory directory) throws Exception {
    List<FileName> names = new ArrayList<>();
    for (List<DirectoryEntry> some = directory.nextEntries();
        !some.isEmpty();
        some = directory.nextEntries()) {
      some.forEach(one -> names.add(one.name()));
    }
    names.sort((a, b) -> a.toString().compareTo(b.toString()));
    for (FileName name : names) {
      String here = at + "/" + name;
      try (OpenNode node = directory.entry(name)) {
        lines.put(here, line(here, node));
        if (node.status().type() == NodeType.DIRECTORY) {
          try (OpenDirectory inner = node.openDirectory()) {
            add(here, inner);
          }
        }
      }
    }
  }

  private String line(String here, OpenNode node) throws Exception {
    NodeStatus status = node.status();
    StringBuilder line = new StringBuilder();
    line.append(status.type()).append(' ').append(Integer.toOctalString(status.mode()));
    line.append(' ').append(status.user()).append(':').append(status.group());
    line.append(' ').append(status.modified()).append(" device ").append(status.device());
    if (status.type() != NodeType.DIRECTORY) {
      line.append(" same as ").append(firstNames.computeIfAbsent(status.inode(), i -> here));
      line.append(" size ").append(status.size());
    }
    for (String name : node.attributeNames().stream().sorted().toList()) {
      if (name.startsWith("trusted.SGI_ACL_")) {
        continue;
      }
      line.append(' ').append(name).append('=');
      line.append(HexFormat.of().formatHex(node.attribute(name).orElseThrow()));
    }
    if (status.type() == NodeType.LINK) {
      line.append(" -> ").append(new String(node.linkTarget(), StandardCharsets.UTF_8));
    }
    if (status.type() == NodeType.FILE) {
      line.append(content(node, status));
    }
    return line.toString();
  }

  private String content(OpenNode node, NodeStatus status)
      throws IOException, NoSuchAlgorithmException {
    StringBuilder line = new StringBuilder();
    try (OpenFile file = node.openFile(OpenFile.Access.READ)) {
      if (status.size() <= MOST_READ) {
        byte[] all = new byte[Math.toIntExact(status.size())];
        assertThat(file.read(0, all)).isEqualTo(all.length);
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(all);
        line.append(" content ").append(HexFormat.of().formatHex(hash));
      }
      OptionalLong data = holes ? file.nextData(0) : OptionalLong.empty();
      while (data.isPresent() && data.getAsLong() < status.size()) {
        long end = file.nextHole(data.getAsLong());
        line.append(" data ").append(data.getAsLong()).append('-').append(end);
        data = file.nextData(end);
      }
    }
    return line.toString();
  }
}
