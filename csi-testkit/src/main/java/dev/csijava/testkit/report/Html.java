package dev.csijava.testkit.report;

/**
 * HTML as it grows; text is escaped unless it is said to be HTML. Not safe for use by several
 * threads.
 *
 * @since 0.1.0
 */
public final class Html {
  private final StringBuilder page = new StringBuilder();

  /**
   * An empty page.
   *
   * @since 0.1.0
   */
  public Html() {}

  /**
   * Adds HTML as it is.
   *
   * @since 0.1.0
   */
  public Html raw(String html) {
    page.append(html);
    return this;
  }

  /**
   * Adds text, escaped.
   *
   * @since 0.1.0
   */
  public Html text(String text) {
    page.append(escaped(text));
    return this;
  }

  /**
   * An element with attributes, which begin with a blank or are empty, and a text.
   *
   * @since 0.1.0
   */
  public Html element(String name, String attributes, String text) {
    return raw("<" + name + attributes + ">").text(text).raw("</" + name + ">\n");
  }

  static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.appendCodePoint(visible(c));
              }
            });
    return safe.toString();
  }

  /** Controls and halves of characters, which hostile drivers send, as the sign for no sign. */
  private static int visible(int c) {
    boolean control = Character.isISOControl(c) && c != '\n' && c != '\t';
    return control || (c >= 0xd800 && c <= 0xdfff) ? 0xfffd : c;
  }

  /** The page so far. */
  @Override
  public String toString() {
    return page.toString();
  }
}
