package dev.csijava.core;

import org.jspecify.annotations.Nullable;

/** The grammars of names: each method says what is wrong with a name, or null if nothing is. */
final class NameSyntax {
  private static final int LONGEST = 63;

  /** Under which Kubernetes puts keys of its own into maps, also into secrets since 1.35. */
  static final String KUBERNETES_PREFIX = "csi.storage.k8s.io/";

  /** Under which the provisioner puts its identity into each volume_context. */
  private static final String PROVISIONER_PREFIX = "storage.kubernetes.io/";

  private NameSyntax() {}

  /** Whether Kubernetes added the key of a map to those that the driver or the user chose. */
  static boolean isKubernetesKey(String key) {
    return key.startsWith(KUBERNETES_PREFIX) || key.startsWith(PROVISIONER_PREFIX);
  }

  /**
   * A plugin's name: a domain name of at most 63 characters. A label may start with a digit, as
   * domain names have long been allowed to.
   */
  static @Nullable String pluginName(String name) {
    if (name.length() > LONGEST) {
      return "has more than 63 characters; shorten it";
    }
    return isDomainName(name, false)
        ? null
        : "is not a domain name such as driver.example.com; use labels of letters, digits and"
            + " inner dashes with dots between";
  }

  /** A key of a secret. */
  static @Nullable String secretKey(String key) {
    String own =
        key.startsWith(KUBERNETES_PREFIX) ? key.substring(KUBERNETES_PREFIX.length()) : key;
    boolean legal = !own.isEmpty();
    for (int i = 0; i < own.length(); i++) {
      legal &= isAlphanumeric(own.charAt(i)) || isMark(own.charAt(i));
    }
    return legal
        ? null
        : "has a key with other characters than letters, digits, '-', '_' and '.'; rename it";
  }

  /** The part of a topology key behind the slash, or all of a key without one. */
  static @Nullable String topologyName(String key) {
    return isLabel(key.substring(key.indexOf('/') + 1))
        ? null
        : "has the key"
            + TextChecks.echo(key)
            + " whose name part is not 1 to 63 letters, digits, '-', '_' and '.' with a letter or"
            + " digit at both ends";
  }

  /** The part of a topology key before the slash, if there is one. */
  static @Nullable String topologyPrefix(String key) {
    int slash = key.indexOf('/');
    if (slash < 0) {
      return null;
    }
    String prefix = key.substring(0, slash);
    return prefix.length() <= LONGEST && isDomainName(prefix, true)
        ? null
        : "has the key"
            + TextChecks.echo(key)
            + " whose prefix is not a domain name in lower case of at most 63 characters";
  }

  /** A value of a topology segment. */
  static @Nullable String topologyValue(String key, String value) {
    return isLabel(value)
        ? null
        : "has under the key"
            + TextChecks.echo(key)
            + " a value that is not 1 to 63 letters, digits, '-', '_' and '.' with a letter or"
            + " digit at both ends";
  }

  /** The reason in a health report: one word in CamelCase. */
  static boolean isCamelCase(String reason) {
    boolean legal = !reason.isEmpty() && reason.charAt(0) >= 'A' && reason.charAt(0) <= 'Z';
    for (int i = 0; i < reason.length(); i++) {
      legal &= isAlphanumeric(reason.charAt(i));
    }
    return legal;
  }

  private static boolean isLabel(String text) {
    boolean legal =
        !text.isEmpty()
            && text.length() <= LONGEST
            && isAlphanumeric(text.charAt(0))
            && isAlphanumeric(text.charAt(text.length() - 1));
    for (int i = 0; i < text.length(); i++) {
      legal &= isAlphanumeric(text.charAt(i)) || isMark(text.charAt(i));
    }
    return legal;
  }

  private static boolean isDomainName(String text, boolean lowerCase) {
    char previous = '.';
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean upper = c >= 'A' && c <= 'Z';
      boolean edge = !isAlphanumeric(previous);
      boolean legal = isAlphanumeric(c) ? !(lowerCase && upper) : isJoint(c, previous, edge);
      if (!legal) {
        return false;
      }
      previous = c;
    }
    return isAlphanumeric(previous);
  }

  // A dot needs a letter or digit before it; a dash may also follow a dash, but start no label.
  private static boolean isJoint(char c, char previous, boolean edge) {
    return (c == '.' && !edge) || (c == '-' && previous != '.');
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private static boolean isMark(char c) {
    return c == '-' || c == '_' || c == '.';
  }
}
