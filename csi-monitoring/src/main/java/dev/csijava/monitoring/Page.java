package dev.csijava.monitoring;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One page that can be read, by GET or HEAD; below its path there is nothing. */
final class Page implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Monitoring.class);

  private final String path;
  private final Content content;

  Page(String path, Content content) {
    this.path = path;
    this.content = content;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer = answer(exchange);
      Headers headers = exchange.getResponseHeaders();
      headers.set("Content-Type", answer.type());
      headers.set("Cache-Control", "no-store");
      if (exchange.getRequestMethod().equals("HEAD")) {
        headers.set("Content-Length", Integer.toString(answer.body().length));
        exchange.sendResponseHeaders(answer.code(), -1);
      } else {
        exchange.sendResponseHeaders(answer.code(), answer.body().length);
        exchange.getResponseBody().write(answer.body());
      }
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestURI().getPath().equals(path)) {
      return Answer.unknown(exchange.getRequestHeaders());
    }
    switch (exchange.getRequestMethod()) {
      case "GET", "HEAD" -> {
        try {
          return content.answer(exchange.getRequestHeaders());
        } catch (RuntimeException e) {
          LOG.error("the page {} failed", path, e);
          return Answer.text(500, "the page failed; the driver's log says why");
        }
      }
      default -> {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        return Answer.text(405, "this page can only be read");
      }
    }
  }

  /** Works the answer out, anew for each request. */
  interface Content {
    Answer answer(Headers request) throws IOException;
  }

  /** Status code, media type and bytes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Answer(int code, String type, byte[] body) {
    static Answer text(int code, String text) {
      return new Answer(
          code, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    static Answer unknown(Headers request) {
      return text(404, "there are /healthz, /readyz and, where it is on, /metrics");
    }
  }
}
