package dev.csijava.core;

import dev.csijava.core.FieldRule.Kind;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * What holds for paths in requests: absolute, normalised and as long as the operating system
 * allows. A path that is empty is missing, not malformed; that is another rule's business.
 */
final class PathRules {
  private final FieldRules factory;

  PathRules(FieldRules factory) {
    this.factory = factory;
  }

  /** Everything but absolute. */
  FieldRule normalised(String... ids) {
    return factory.rule(
        Kind.SIZE,
        "is a normalised path of at most " + FieldRules.PATH_BYTES + " bytes",
        PathRules::checkNormalised,
        ids);
  }

  /** Starts with a slash. */
  FieldRule absolute(String... ids) {
    return factory.value(
        "is an absolute path",
        (value, rule, walk) -> {
          if (value instanceof String path && !path.isEmpty() && path.charAt(0) != '/') {
            walk.broken(
                rule, (TextChecks.echo(path) + " is not absolute; start it with '/'").trim());
          }
        },
        ids);
  }

  /**
   * Starts with a slash, or else nothing is there: csi-sanity sends a relative path and expects
   * NOT_FOUND, whatever else is in order.
   */
  FieldRule absoluteElseNotFound(String... ids) {
    return absolute(ids).with(Status.Code.NOT_FOUND);
  }

  private static void checkNormalised(@Nullable Object value, Rule rule, RuleWalk walk) {
    if (!(value instanceof String path)) {
      return;
    }
    if (TextChecks.longerThan(FieldRules.PATH_BYTES, path)) {
      walk.broken(rule, "is longer than the operating system allows; shorten it");
    } else if (path.indexOf('\0') >= 0) {
      walk.broken(rule, "holds a NUL character; no path can");
    } else if (TextChecks.hasDotComponent(path)) {
      walk.broken(
          rule,
          (TextChecks.echo(path) + " has a component \".\" or \"..\"; resolve it first").trim());
    } else if (TextChecks.isRoot(path)) {
      walk.broken(rule, "is the root directory, where no volume can be; name a path below it");
    }
  }
}
