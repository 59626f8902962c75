package dev.csijava.examples.block;

import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
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
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A controller and two nodes, each with a server of its own, over one directory. */
final class TwoNodes implements AutoCloseable {
  static final String ONE = "node-1";
  static final String TWO = "node-2";
  static final String CONTROLLER = "controller";

  private final List<CsiServer> servers = new ArrayList<>();
  private @Nullable CsiServer controller;
  private final Path root;
  private final SharedDirectory shared;

  private TwoNodes(Path root) throws IOException {
    this.root = root;
    this.shared = new SharedDirectory(Files.createDirectories(root.resolve("shared")));
  }

  /**
   * @param root the directory that everything lies in, links resolved
   */
  static TwoNodes start(Path root) throws IOException {
    TwoNodes nodes = new TwoNodes(root);
    boolean done = false;
    try {
      nodes.startController();
      nodes.servers.add(nodes.serve(ONE, BlockDriver.node(nodes.shared, ONE)));
      nodes.servers.add(nodes.serve(TWO, BlockDriver.node(nodes.shared, TWO)));
      done = true;
      return nodes;
    } finally {
      if (!done) {
        nodes.close();
      }
    }
  }

  static boolean canMount() {
    return "root".equals(System.getProperty("user.name"));
  }

  private void startController() throws IOException {
    shared.sweep();
    controller = serve(CONTROLLER, BlockDriver.controller(shared, Set.of(ONE, TWO)));
  }

  /** With nothing but what lies on disk. */
  void restartController() throws IOException {
    Objects.requireNonNull(controller).close();
    startController();
  }

  private CsiServer serve(String name, CsiDriver driver) throws IOException {
    Path socket = Files.createDirectories(root.resolve(name)).resolve("csi.sock");
    return CsiServer.forDriver(driver).endpoint(CsiEndpoint.unix(socket)).start();
  }

  String endpoint(String name) {
    return "unix://" + root.resolve(name).resolve("csi.sock");
  }

  /** Ends the servers, and fails if a mount or device was left, after it has removed it. */
  @Override
  public void close() throws IOException {
    if (controller != null) {
      controller.close();
    }
    servers.forEach(CsiServer::close);
    List<String> left = new ArrayList<>();
    for (Mount mount : MountTable.read().below(root)) {
      left.add(mount.target().toString());
      Mounter.system().unmount(mount.target());
    }
    LoopDevices loops = LoopDevices.system("csi-block-example");
    try (Stream<Path> files = Files.walk(root.resolve("shared"))) {
      for (Path image : files.filter(file -> file.endsWith("image")).toList()) {
        loops.find(image).ifPresent(device -> left.add(device.node().toString()));
        BlockNode.release(loops, image);
      }
    }
    if (!left.isEmpty()) {
      throw new IOException("left behind: " + left);
    }
  }
}
