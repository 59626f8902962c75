package dev.csijava.core;

import com.google.protobuf.TextFormat;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/**
 * How a secret looks in the texts that it ends up in: as it is, in a message that was printed, in
 * JSON, and in an address. One that is escaped is as good to whoever reads the log as one that is
 * not (rule K3).
 */
final class SecretSpellings {
  /** What writers of JSON escape although they need not, so that it can stand in a web page. */
  private static final String UNSAFE_IN_HTML = "<>&='";

  private SecretSpellings() {}

  static Set<String> of(String secret) {
    Set<String> spellings = new LinkedHashSet<>();
    spellings.add(secret);
    if (!isPlain(secret)) {
      spellings.add(TextFormat.escapeBytes(secret.getBytes(StandardCharsets.UTF_8)));
      spellings.add(TextFormat.escapeDoubleQuotesAndBackslashes(secret).replace("\n", "\\n"));
      spellings.add(json(secret, ""));
      spellings.add(json(secret, UNSAFE_IN_HTML));
      String address = URLEncoder.encode(secret, StandardCharsets.UTF_8);
      spellings.add(address);
      spellings.add(address.replace("+", "%20"));
    }
    return spellings;
  }

  /** Whether every spelling is the same. */
  private static boolean isPlain(String secret) {
    return secret.chars().allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || c == '-'));
  }

  private static String json(String text, String unsafe) {
    StringBuilder json = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> json.append('\\').append(c);
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        case '\b' -> json.append("\\b");
        case '\f' -> json.append("\\f");
        default -> {
          if (c < ' ' || unsafe.indexOf(c) >= 0) {
            json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.toString();
  }
}
