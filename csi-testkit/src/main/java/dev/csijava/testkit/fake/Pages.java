package dev.csijava.testkit.fake;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * One page of a listing in the order of ids. The token holds the last id of the page before, so
 * what comes and goes meanwhile does not move the rest.
 */
record Pages<T>(List<T> entries, String nextToken) {
  private static final String MARK = "after ";

  static <T> Pages<T> of(Map<String, T> all, int maxEntries, String startingToken) {
    Fields.entries(maxEntries);
    NavigableMap<String, T> sorted = new TreeMap<>(all);
    if (!startingToken.isEmpty()) {
      sorted = sorted.tailMap(decode(startingToken), false);
    }
    if (maxEntries == 0 || sorted.size() <= maxEntries) {
      return new Pages<>(List.copyOf(sorted.values()), "");
    }
    List<String> ids = sorted.keySet().stream().limit(maxEntries).toList();
    String last = ids.get(ids.size() - 1);
    return new Pages<>(List.copyOf(sorted.headMap(last, true).values()), encode(last));
  }

  private static String encode(String id) {
    byte[] bytes = (MARK + id).getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String decode(String token) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      if (text.startsWith(MARK)) {
        return text.substring(MARK.length());
      }
    } catch (IllegalArgumentException e) {
      throw Failure.aborted("starting_token is none of this driver: " + e.getMessage());
    }
    throw Failure.aborted("starting_token is none of this driver");
  }
}
