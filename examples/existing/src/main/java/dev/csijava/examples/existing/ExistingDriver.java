package dev.csijava.examples.existing;

import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiException;
import dev.csijava.core.CsiServer;
import dev.csijava.core.mount.UsageReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Directories and disks that already lie on this node, one process a node. */
public final class ExistingDriver {
  private static final Logger log = LoggerFactory.getLogger(ExistingDriver.class);

  static final String NAME = "existing.example.com";
  private static final String TOPOLOGY_KEY = NAME + "/node";
  private static final int SECONDS_BETWEEN_LOOKS = 60;

  private final Discovery disks;
  private final Sizes sizes = new Sizes(UsageReader.system());
  private final Path run;
  private final String nodeId;

  /**
   * @param state outlives a reboot
   * @param run does not
   */
  ExistingDriver(Path directory, Path state, Path run, String nodeId) throws IOException {
    this.disks = new Discovery(directory, Files.createDirectories(state), nodeId, Facts.system());
    this.run = Files.createDirectories(run);
    this.nodeId = nodeId;
  }

  /**
   * Serves at CSI_ENDPOINT until SIGTERM. With the argument {@code print} it writes the
   * PersistentVolumes of this node instead.
   */
  public static void main(String[] args) throws Exception {
    ExistingDriver existing =
        new ExistingDriver(
            Path.of(System.getenv("EXISTING_DISKS")),
            Path.of(System.getenv("EXISTING_STATE")),
            Path.of(System.getenv("EXISTING_RUN")),
            System.getenv("NODE_NAME"));
    if (args.length == 1 && args[0].equals("print")) {
      System.out.print(existing.persistentVolumes());
      return;
    }
    existing.lookAgainAndAgain();
    CsiServer.serve(existing.driver());
  }

  CsiDriver driver() {
    Map<String, String> topology = Map.of(TOPOLOGY_KEY, nodeId);
    ExistingController controller = new ExistingController(disks, sizes, topology);
    ExistingNode node = new ExistingNode(disks, sizes, new Publications(run));
    return CsiDriver.named(NAME)
        .version("1.0.0")
        .controller(
            c ->
                c.validation(controller)
                    .listing(controller)
                    .health(controller)
                    .topology()
                    .singleNodeMultiWriter())
        .node(
            n ->
                n.id(nodeId)
                    .topology(topology)
                    .publishing(node)
                    .stats(node)
                    .health(node)
                    .singleNodeMultiWriter())
        .build();
  }

  String persistentVolumes() {
    return new PersistentVolumes(NAME, Map.entry(TOPOLOGY_KEY, nodeId), sizes).of(disks.all());
  }

  /** So that a disk is written down soon after it came, also if nobody asks. */
  private void lookAgainAndAgain() {
    ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "existing-discovery");
              thread.setDaemon(true);
              return thread;
            });
    ScheduledFuture<?> unused =
        clock.scheduleWithFixedDelay(this::look, 0, SECONDS_BETWEEN_LOOKS, TimeUnit.SECONDS);
  }

  private void look() {
    try {
      disks.all();
    } catch (UncheckedIOException | CsiException e) {
      // An exception that is let through would be the end of looking.
      log.warn("the disks can't be looked at", e);
    }
  }
}
