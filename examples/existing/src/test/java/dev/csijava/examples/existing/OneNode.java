package dev.csijava.examples.existing;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiException;
import dev.csijava.core.CsiServer;
import dev.csijava.core.kubelet.KubeletPaths;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node with a mounted disk, a directory and a block device, and the driver that serves them. */
final class OneNode implements AutoCloseable {
  static final String SSD = "ssd";
  static final String DATA = "data";
  static final String RAW = "raw";
  static final long RAW_BYTES = 1 << 20;

  private static final String NODE = "node-1";

  private final LoopDevices loops = LoopDevices.system("csi-existing-example-test");
  private final Mounter mounter = Mounter.system();
  private final Path root;
  private final Path image;
  private final ExistingDriver driver;
  private @Nullable CsiServer server;

  private OneNode(Path root) throws IOException {
    this.root = root;
    this.image = Files.write(root.resolve("image"), new byte[(int) RAW_BYTES]);
    this.driver =
        new ExistingDriver(root.resolve("disks"), root.resolve("state"), root.resolve("run"), NODE);
  }

  /**
   * @param root the directory that everything lies in, links resolved
   */
  static OneNode start(Path root) throws IOException {
    OneNode node = new OneNode(root);
    boolean done = false;
    try {
      Files.createDirectories(node.disk(SSD));
      Files.createSymbolicLink(node.disk(DATA), Files.createDirectory(root.resolve("elsewhere")));
      node.mountSsd();
      Files.createSymbolicLink(node.disk(RAW), node.loops.attach(node.image, false).node());
      node.server = node.serve();
      done = true;
      return node;
    } finally {
      if (!done) {
        node.close();
      }
    }
  }

  static boolean canMount() {
    return "root".equals(System.getProperty("user.name"));
  }

  Path disk(String name) {
    return root.resolve("disks").resolve(name);
  }

  String id(String name) {
    return KubeletPaths.volumeHandleHash(NODE + "/" + name);
  }

  void mountSsd() {
    mounter.mount("tmpfs", disk(SSD), "tmpfs", List.of("size=1m", "mode=0755"));
  }

  void unmountSsd() {
    mounter.unmount(disk(SSD));
  }

  void restart() throws IOException {
    Objects.requireNonNull(server).close();
    server = serve();
  }

  private CsiServer serve() throws IOException {
    Path socket = Files.createDirectories(root.resolve("socket")).resolve("csi.sock");
    return CsiServer.forDriver(driver.driver()).endpoint(CsiEndpoint.unix(socket)).start();
  }

  ExistingDriver driver() {
    return driver;
  }

  String endpoint() {
    return Objects.requireNonNull(server).endpoint().toString();
  }

  /** Ends the server, and fails if a mount was left, after it has removed it. */
  @Override
  public void close() throws IOException {
    if (server != null) {
      server.close();
    }
    List<String> left = new ArrayList<>();
    for (Mount mount : MountTable.read().below(root)) {
      if (!mount.target().equals(disk(SSD))) {
        left.add(mount.target().toString());
      }
      mounter.unmount(mount.target());
    }
    detach();
    if (!left.isEmpty()) {
      throw new IOException("left behind: " + left);
    }
  }

  /** Whoever looks for a free loop device has this one open for a moment. */
  private void detach() {
    try {
      loops.detach(image);
    } catch (CsiException e) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (loops.find(image).isPresent()) {
        if (System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }
}
