package dev.csijava.core.kubelet;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.csijava.core.CsiException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The tokens of a pod's service account, one an audience, as the CSIDriver object's {@code
 * tokenRequests} ask for them.
 *
 * <p>They are secrets: {@link #toString} and the messages of exceptions show none. They expire and
 * come anew only with a repeated NodePublishVolume ({@code requiresRepublish}).
 *
 * <p>Immutable and safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class ServiceAccountTokens {
  private record Token(String value, Optional<Instant> expiration) {
    @Override
    public String toString() {
      return "a token";
    }
  }

  private final Map<String, Token> tokens;

  private ServiceAccountTokens(Map<String, Token> tokens) {
    this.tokens = Collections.unmodifiableMap(tokens);
  }

  /**
   * Reads the tokens of a NodePublishVolume request: from its secrets, where Kubernetes 1.35 and
   * later can put them, else from its volume_context.
   *
   * @return without tokens if there are none in either
   * @throws CsiException INVALID_ARGUMENT if they are not of the form that kubelet writes
   * @since 0.1.0
   */
  public static ServiceAccountTokens of(
      Map<String, String> volumeContext, Map<String, String> secrets) {
    String json = secrets.getOrDefault(KubernetesKeys.SERVICE_ACCOUNT_TOKENS, "");
    if (json.isEmpty()) {
      json = volumeContext.getOrDefault(KubernetesKeys.SERVICE_ACCOUNT_TOKENS, "");
    }
    Map<String, Token> tokens = new TreeMap<>();
    if (!json.isEmpty()) {
      object(json).getFieldsMap().forEach((audience, value) -> tokens.put(audience, token(value)));
    }
    return new ServiceAccountTokens(tokens);
  }

  /**
   * Whether there are none.
   *
   * @since 0.1.0
   */
  public boolean isEmpty() {
    return tokens.isEmpty();
  }

  /**
   * For whom there is a token. The empty string stands for the API server's own audience.
   *
   * @since 0.1.0
   */
  public Set<String> audiences() {
    return tokens.keySet();
  }

  /**
   * The token for an audience, <b>a secret</b>.
   *
   * @since 0.1.0
   */
  public Optional<String> token(String audience) {
    return Optional.ofNullable(tokens.get(audience)).map(Token::value);
  }

  /**
   * When the token for an audience expires; empty if there is none or it does not say.
   *
   * @since 0.1.0
   */
  public Optional<Instant> expiration(String audience) {
    return Optional.ofNullable(tokens.get(audience)).flatMap(Token::expiration);
  }

  /** The audiences; never a token. */
  @Override
  public String toString() {
    return "ServiceAccountTokens" + tokens.keySet();
  }

  private static Struct object(String json) {
    try {
      return Json.read(json);
    } catch (IllegalArgumentException e) {
      throw malformed("this is not a JSON object");
    }
  }

  private static Token token(Value value) {
    Map<String, Value> fields = value.getStructValue().getFieldsMap();
    String token = text(fields, "token");
    if (token.isEmpty()) {
      throw malformed("an entry has no token");
    }
    return new Token(token, expiration(fields));
  }

  private static Optional<Instant> expiration(Map<String, Value> fields) {
    String text = text(fields, "expirationTimestamp");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeParseException e) {
      throw malformed("an expirationTimestamp is not a time as RFC 3339 writes it");
    }
  }

  private static String text(Map<String, Value> fields, String key) {
    Value value = fields.get(key);
    return value == null ? "" : value.getStringValue();
  }

  private static CsiException malformed(String why) {
    return CsiException.invalidArgument(KubernetesKeys.SERVICE_ACCOUNT_TOKENS + ": " + why);
  }
}
