package dev.csijava.hostpath;

import dev.csijava.core.CallContext;
import dev.csijava.core.CallListener;
import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.mount.Filesystems;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.settings.AttachSettings;
import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.CrashPoint;
import dev.csijava.hostpath.testing.Leftovers;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** In this process: an error unwinds its call as a crash would, and nothing rolls anything back. */
final class DriverThatDies implements CrashableDriver {
  private final Path root;
  private CrashPoint point;
  private HostpathDriver driver;
  private CsiServer server;
  private Client client;

  DriverThatDies(Path directory) throws IOException {
    root = directory.toRealPath();
    start();
  }

  static HostpathSettings settings(Path root) {
    return TestSettings.modifying(
            HostpathSettings.of(
                "hostpath.csi.k8s.io",
                "test",
                "node-1",
                root.resolve("state"),
                root.resolve("run")))
        .withAttach(new AttachSettings(true, 0, 0));
  }

  /** The real machine with boundaries in all that the driver does to it. */
  static Host host(CrashPoint point) {
    Host real = Host.real();
    return new Host(
        point.around(Disk.class, real.disk()),
        point.around(Mounter.class, real.mounter()),
        point.around(MountView.class, real.mounts()),
        point.around(UsageReader.class, real.usage()),
        point.around(TreeCopier.class, real.copier()),
        point.around(FileCopier.class, real.fileCopier()),
        stateDirectory -> point.around(LoopDevices.class, real.loops().of(stateDirectory)),
        point.around(Filesystems.class, real.filesystems()),
        point,
        real.clock());
  }

  private void start() throws IOException {
    point = new CrashPoint(() -> {});
    driver = HostpathDriver.open(settings(root), host(point));
    server =
        CsiServer.forDriver(driver.driver())
            .endpoint(CsiEndpoint.parse("tcp://127.0.0.1:0"))
            .listener(new Listener(point))
            .start();
    client = Client.of(server.endpoint().toString());
  }

  private record Listener(CrashPoint point) implements CallListener {
    @Override
    public void started(CallContext call) {
      point.called(call.rpc());
    }

    @Override
    public void finished(CallContext call, Status.Code code, Duration elapsed) {}
  }

  /** The RPCs that passed a boundary since {@link #arm}. */
  Set<String> calls() {
    return point.calls();
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public Client client() {
    return client;
  }

  @Override
  public void arm(int boundaries) {
    point.arm(boundaries);
  }

  @Override
  public List<String> disarm() {
    return point.disarm();
  }

  @Override
  public void restart() throws IOException {
    stop();
    start();
  }

  private void stop() throws IOException {
    client.close();
    server.close();
    driver.close();
    point.letGo();
  }

  @Override
  public void close() throws IOException {
    try {
      stop();
    } finally {
      Leftovers.clean(root);
    }
  }
}
