package dev.csijava.hostpath.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoDriverProbeTest {
  @TempDir private Path directory;

  private void process(String id, String line) throws IOException {
    Files.writeString(Files.createDirectory(directory.resolve(id)).resolve("cmdline"), line);
  }

  @Test
  void itsProcessIsFound() throws IOException {
    process("1", "/sbin/init\0");
    Files.createDirectory(directory.resolve("2"));
    process("3", "grep\0hostpathplugin\0");
    assertThat(new GoDriverProbe(directory).running(null)).isEmpty();

    process("4711", "/hostpathplugin\0--drivername=hostpath.csi.k8s.io\0");
    assertThat(new GoDriverProbe(directory).running(null))
        .contains("the Go driver runs as process 4711");
  }

  @Test
  void whoAnswersAtItsSocketIsFound() throws IOException {
    Path socket = directory.resolve("s");
    assertThat(new GoDriverProbe(directory).running(socket)).isEmpty();
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      assertThat(new GoDriverProbe(directory).running(socket))
          .contains("a driver answers at " + socket);
    }
    assertThat(new GoDriverProbe(directory).running(socket)).isEmpty();
  }
}
