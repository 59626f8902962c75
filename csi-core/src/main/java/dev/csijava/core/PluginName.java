package dev.csijava.core;

/** The rules for a plugin name (requirements IDENT-INFO-002 to -005). */
final class PluginName {
  private PluginName() {}

  static String check(String name) {
    if (NameSyntax.pluginName(name) != null) {
      throw new IllegalArgumentException(
          "the plugin name must be a domain name of at most 63 letters, digits, dots and dashes, "
              + "for example memo.example.com");
    }
    return name;
  }
}
