package dev.csijava.core;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** What several answers must agree on with their requests. */
final class AnswerChecks {
  private AnswerChecks() {}

  /** The answer speaks of the thing that was asked for. */
  static void sameId(String asked, String answered, String path, Rule rule, RuleWalk walk) {
    if (!asked.equals(answered)) {
      walk.brokenBelow(rule, path, "is not" + TextChecks.echo(asked) + ", which it must be");
    }
  }

  /** A page is not longer than the caller allows; zero allows any length. */
  static void pageLength(int maxEntries, int entries, Rule rule, RuleWalk walk) {
    if (maxEntries > 0 && entries > maxEntries) {
      walk.brokenBelow(
          rule, "entries", "has " + entries + " entries where max_entries is " + maxEntries);
    }
  }

  /** A page's token leads on; one that leads back here would make the caller loop for ever. */
  static void tokenMoves(String startingToken, String nextToken, Rule rule, RuleWalk walk) {
    if (!nextToken.isEmpty() && nextToken.equals(startingToken)) {
      walk.brokenBelow(rule, "next_token", "is the starting_token again, so the list never ends");
    }
  }

  /** No page names one thing twice. */
  static <E> void distinct(
      List<E> entries, Function<E, String> id, String path, Rule rule, RuleWalk walk) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < entries.size(); i++) {
      if (!seen.add(id.apply(entries.get(i)))) {
        walk.brokenBelow(rule, "entries[" + i + "]." + path, "is in the list twice");
        return;
      }
    }
  }

  /** A size is as large as required; zero is a size that nobody knows. */
  static void atLeast(long size, long required, String path, Rule rule, RuleWalk walk) {
    if (size > 0 && size < required) {
      walk.brokenBelow(rule, path, "is " + size + " where " + required + " bytes are required");
    }
  }

  /** A size keeps within the limit; a limit of zero is none. */
  static void atMost(long size, long limit, String path, Rule rule, RuleWalk walk) {
    if (limit > 0 && size > limit) {
      walk.brokenBelow(rule, path, "is " + size + " where the limit is " + limit + " bytes");
    }
  }
}
