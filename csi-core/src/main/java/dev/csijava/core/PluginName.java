package dev.csijava.core;

import java.util.regex.Pattern;

/** The rules for a plugin name (requirements IDENT-INFO-002 to -005). */
final class PluginName {
  private static final int LONGEST = 63;
  private static final Pattern DOMAIN_NAME =
      Pattern.compile(
          "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*");

  private PluginName() {}

  static String check(String name) {
    if (name.length() > LONGEST || !DOMAIN_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the plugin name must be a domain name of at most 63 letters, digits, dots and dashes, "
              + "for example memo.example.com");
    }
    return name;
  }
}
