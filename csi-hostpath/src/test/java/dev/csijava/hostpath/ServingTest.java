package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.hostpath.options.PodOptions;
import dev.csijava.hostpath.options.ServerOptions;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ServingTest {
  private Path root;
  private HostpathDriver driver;

  @BeforeEach
  void open(@TempDir Path directory) throws IOException {
    root = directory.toRealPath();
    driver =
        HostpathDriver.open(
            HostpathSettings.of(
                "hostpath.csi.k8s.io", "test", "n", root.resolve("state"), root.resolve("run")));
  }

  @AfterEach
  void close() throws IOException {
    driver.close();
  }

  private Serving start(String... arguments) throws IOException {
    ServerOptions server = new ServerOptions();
    PodOptions pod = new PodOptions();
    CommandLine parser = new CommandLine(CommandLine.Model.CommandSpec.create());
    parser.addMixin("server", server).addMixin("pod", pod).parseArgs(arguments);
    return Serving.start(driver.driver(), CsiEndpoint.unix(root.resolve("s")), server, pod);
  }

  private static int status(InetSocketAddress address, String page) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + address.getPort() + page);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    try {
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }

  @Test
  void withoutFlagsThereIsButTheSocketForTheOwner() throws IOException {
    try (Serving serving = start()) {
      assertThat(serving.pages()).isEmpty();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("s"))))
          .isEqualTo("rw-------");
    }
    assertThat(root.resolve("s")).doesNotExist();
  }

  @Test
  void pagesAndRegistrationAreThereWhereAskedForAndGoWithTheServer() throws IOException {
    Path registry = Files.createDirectory(root.resolve("r"));
    InetSocketAddress pages;
    try (Serving serving =
        start(
            "--http-endpoint=127.0.0.1:0",
            "--kubelet-registration-path=/var/lib/kubelet/plugins/p/csi.sock",
            "--plugin-registration-path=" + registry,
            "--socket-mode=0660")) {
      pages = serving.pages().orElseThrow();
      assertThat(registry.resolve("hostpath.csi.k8s.io-reg.sock")).exists();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("s"))))
          .isEqualTo("rw-rw----");
      // On a machine that stalls the probe behind the page may take too long.
      for (int asked = 0; asked < 10 && status(pages, "/healthz") != 200; asked++) {}
      assertThat(status(pages, "/healthz")).isEqualTo(200);
      assertThat(status(pages, "/readyz")).as("kubelet has not registered it").isEqualTo(503);
      assertThat(status(pages, "/metrics")).isEqualTo(200);
    }
    assertThat(registry).isEmptyDirectory();
    assertThatThrownBy(() -> status(pages, "/healthz")).isInstanceOf(IOException.class);
  }

  @Test
  void aRegistrationThatCantBeMadeLeavesNothing() {
    assertThatThrownBy(
            () ->
                start(
                    "--kubelet-registration-path=/csi.sock",
                    "--plugin-registration-path=" + root.resolve("none")))
        .isInstanceOf(IOException.class);

    assertThat(root.resolve("s")).doesNotExist();
  }
}
