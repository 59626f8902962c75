package dev.csijava.testkit.report;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A headless Chromium with one page, driven by its DevTools protocol. */
final class Browser implements AutoCloseable {
  private static final Pattern LISTENING = Pattern.compile("listening on ws://([^/]+)/");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<Struct>> open = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();

  /** Opens a page of a file. */
  Browser(Path page, Path profile) throws IOException, InterruptedException {
    Path messages = profile.resolve("messages");
    process =
        new ProcessBuilder(
                "chromium",
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-extensions",
                "--no-first-run",
                "--window-size=1200,900",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile.resolve("profile"),
                page.toUri().toString())
            .redirectErrorStream(true)
            .redirectOutput(messages.toFile())
            .start();
    boolean ready = false;
    try {
      HttpClient client = HttpClient.newHttpClient();
      String address = address(messages);
      socket =
          client
              .newWebSocketBuilder()
              .buildAsync(URI.create(pageSocket(client, address)), new Answers())
              .join();
      ready = true;
    } finally {
      if (!ready) {
        close(process);
      }
    }
  }

  /** Whether the program is there. */
  static boolean installed() {
    for (String directory : Optional.ofNullable(System.getenv("PATH")).orElse("").split(":", -1)) {
      if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, "chromium"))) {
        return true;
      }
    }
    return false;
  }

  private String address(Path messages) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end && process.isAlive()) {
      Matcher matcher = LISTENING.matcher(Files.readString(messages));
      if (matcher.find()) {
        return matcher.group(1);
      }
      Thread.sleep(50);
    }
    throw new IOException("the browser does not listen: " + Files.readString(messages));
  }

  private static String pageSocket(HttpClient client, String address)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/json/list"))
            .timeout(PATIENCE)
            .build();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      ListValue.Builder list = ListValue.newBuilder();
      JsonFormat.parser().merge(client.send(request, BodyHandlers.ofString()).body(), list);
      for (Value target : list.getValuesList()) {
        Struct fields = target.getStructValue();
        if (fields.getFieldsOrThrow("url").getStringValue().endsWith("report.html")) {
          return fields.getFieldsOrThrow("webSocketDebuggerUrl").getStringValue();
        }
      }
      Thread.sleep(50);
    }
    throw new IOException("the browser has no page");
  }

  private final class Answers implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        answered(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }
  }

  private void answered(String json) {
    Struct.Builder answer = Struct.newBuilder();
    try {
      JsonFormat.parser().merge(json, answer);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
    if (answer.containsFields("id")) {
      int id = (int) answer.getFieldsOrThrow("id").getNumberValue();
      CompletableFuture<Struct> waiting = open.remove(id);
      if (waiting != null) {
        waiting.complete(answer.build());
      }
    }
  }

  /** Sends a command of the protocol and waits for its result. */
  Struct send(String method, Map<String, Value> parameters) throws IOException {
    int id = ids.incrementAndGet();
    CompletableFuture<Struct> answer = new CompletableFuture<>();
    open.put(id, answer);
    Struct command =
        Struct.newBuilder()
            .putFields("id", number(id))
            .putFields("method", text(method))
            .putFields(
                "params",
                Value.newBuilder()
                    .setStructValue(Struct.newBuilder().putAllFields(parameters))
                    .build())
            .build();
    try {
      socket.sendText(JsonFormat.printer().print(command), true).join();
      Struct struct = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (struct.containsFields("error")) {
        throw new IOException(method + ": " + struct);
      }
      return struct.getFieldsOrThrow("result").getStructValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(method, e);
    }
  }

  static Value number(double value) {
    return Value.newBuilder().setNumberValue(value).build();
  }

  static Value text(String value) {
    return Value.newBuilder().setStringValue(value).build();
  }

  /** The value of an expression in the page. */
  Value value(String expression) throws IOException {
    Struct result =
        send(
            "Runtime.evaluate",
            Map.of(
                "expression",
                text(expression),
                "returnByValue",
                Value.newBuilder().setBoolValue(true).build()));
    return result
        .getFieldsOrThrow("result")
        .getStructValue()
        .getFieldsOrDefault("value", Value.getDefaultInstance());
  }

  /** A key, as one that is pressed and let go. */
  void press(String key) throws IOException {
    Map<String, Value> known = Map.of("key", text(key), "type", text("keyDown"));
    if (key.length() == 1) {
      send(
          "Input.dispatchKeyEvent",
          Map.of("key", text(key), "text", text(key), "type", text("keyDown")));
    } else {
      send("Input.dispatchKeyEvent", known);
    }
    send("Input.dispatchKeyEvent", Map.of("key", text(key), "type", text("keyUp")));
  }

  /** Letters into what has the focus. */
  void type(String letters) throws IOException {
    send("Input.insertText", Map.of("text", text(letters)));
  }

  /** A click of the mouse into the middle of the element. */
  void click(String selector) throws IOException {
    String box = "document.querySelector('" + selector + "').getBoundingClientRect()";
    value("document.querySelector('" + selector + "').scrollIntoView({block: 'center'})");
    double x = value(box + ".left").getNumberValue() + 20;
    double y = value(box + ".top").getNumberValue() + 5;
    for (String type : new String[] {"mousePressed", "mouseReleased"}) {
      send(
          "Input.dispatchMouseEvent",
          Map.of(
              "type",
              text(type),
              "x",
              number(x),
              "y",
              number(y),
              "button",
              text("left"),
              "clickCount",
              number(1)));
    }
  }

  /** What the window shows, as PNG. */
  byte[] screenshot() throws IOException {
    Struct shot = send("Page.captureScreenshot", Map.of("format", text("png")));
    return Base64.getDecoder().decode(shot.getFieldsOrThrow("data").getStringValue());
  }

  /** What the printer gets, as PDF. */
  byte[] pdf() throws IOException {
    Struct printed = send("Page.printToPDF", Map.of());
    return Base64.getDecoder().decode(printed.getFieldsOrThrow("data").getStringValue());
  }

  /** Shows from now on what the printer gets. */
  void showAsPrinted() throws IOException {
    send("Emulation.setEmulatedMedia", Map.of("media", text("print")));
  }

  /** Asks it to end, so that it takes its own files in /tmp away; a second time with force. */
  @Override
  public void close() {
    String end = "{\"id\": 0, \"method\": \"Browser.close\"}";
    socket.sendText(end, true).exceptionally(gone -> socket).join();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    socket.abort();
    close(process);
  }

  private static void close(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
