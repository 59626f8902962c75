package dev.csijava.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The declarations of a proto file of ours with the comments above them. */
final class ProtoFile {

  private static final Pattern BLOCK =
      Pattern.compile("(service|message|enum|oneof|extend) ([\\w.]+) \\{(\\})?");
  private static final Pattern RPC = Pattern.compile("rpc (\\w+)\\(.*");
  private static final Pattern NUMBERED = Pattern.compile("(?:[\\w.<>, ]+ )?(\\w+) = \\d+.*");

  private ProtoFile() {}

  /**
   * Every declaration by its name ("Message.field", "Enum.VALUE", "Service.Rpc"; a member of a
   * oneof belongs to the message) with its comment, which is empty when there is none.
   */
  static Map<String, String> comments(Path file) {
    try {
      return comments(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same for the text of a file. */
  static Map<String, String> comments(String text) {
    Map<String, String> comments = new LinkedHashMap<>();
    Deque<String> scopes = new ArrayDeque<>();
    scopes.push("");
    StringBuilder comment = new StringBuilder();
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.startsWith("//")) {
        comment.append(line.substring(2).strip()).append(' ');
        continue;
      }
      String above = comment.toString().strip();
      comment.setLength(0);
      Matcher block = BLOCK.matcher(line);
      Matcher rpc = RPC.matcher(line);
      Matcher numbered = NUMBERED.matcher(line);
      if (block.matches()) {
        String name = scopes.getFirst() + block.group(2);
        boolean isNamed = !block.group(1).equals("extend");
        if (isNamed) {
          comments.put(name, above);
        }
        if (block.group(3) == null) {
          boolean opensScope = isNamed && !block.group(1).equals("oneof");
          scopes.push(opensScope ? name + "." : scopes.getFirst());
        }
      } else if (rpc.matches()) {
        comments.put(scopes.getFirst() + rpc.group(1), above);
      } else if (numbered.matches()) {
        comments.put(scopes.getFirst() + numbered.group(1), above);
      }
      if (!block.matches() && line.endsWith("{")) {
        scopes.push(scopes.getFirst());
      } else if (line.equals("}")) {
        scopes.pop();
      }
    }
    return comments;
  }
}
