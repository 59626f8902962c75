package dev.csijava.core.kubelet;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.util.JsonFormat;
import java.util.Map;
import java.util.SortedMap;

/** The two forms of JSON that kubelet hands out: flat maps in files, nested ones in contexts. */
final class Json {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private Json() {}

  /**
   * Reads an object.
   *
   * @throws IllegalArgumentException if the text does not begin with an object; neither message nor
   *     cause quotes the text, which may hold a token
   */
  static Struct read(String json) {
    // The parser is lenient: it takes words without quotes for strings.
    String text = json.strip();
    if (!text.startsWith("{") || !text.endsWith("}")) {
      throw new IllegalArgumentException("this is not a JSON object");
    }
    Struct.Builder object = Struct.newBuilder();
    try {
      JsonFormat.parser().merge(text, object);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("this is not well-formed JSON");
    }
    return object.build();
  }

  /**
   * Writes a flat object byte for byte as Go's encoder does with default settings: keys sorted, no
   * blanks, a line feed at the end, and what is special in HTML or JavaScript escaped.
   */
  static String write(SortedMap<String, String> object) {
    StringBuilder out = new StringBuilder(256).append('{');
    for (Map.Entry<String, String> entry : object.entrySet()) {
      if (out.length() > 1) {
        out.append(',');
      }
      quote(out, entry.getKey());
      out.append(':');
      quote(out, entry.getValue());
    }
    return out.append("}\n").toString();
  }

  private static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '<', '>', '&', '\u2028', '\u2029' -> escape(out, c);
        default -> {
          if (c < ' ') {
            escape(out, c);
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static void escape(StringBuilder out, char c) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(HEX[(c >> shift) & 0xf]);
    }
  }
}
