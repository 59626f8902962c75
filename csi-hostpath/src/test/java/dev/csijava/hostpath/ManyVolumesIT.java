package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.StoredVolumes;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Very many volumes in one process with the memory that a node has for it: what a call costs does
 * not hang on their number (rules K9, K13; B175).
 */
class ManyVolumesIT {
  private static final int CALLERS = 8;
  private static final int PAGE = 100;

  /** As bin/csi-hostpath has it. */
  private static final List<String> SHIPPED =
      List.of(
          "-Xms8m",
          "-XX:NewSize=4m",
          "-Xmx160m",
          "-XX:MinHeapFreeRatio=15",
          "-XX:MaxHeapFreeRatio=30",
          "-Xss256k");

  /** What a node has for 100,000 volumes. */
  private static final long MOST_KIBIBYTES = 256 << 10;

  private final Set<String> ids = ConcurrentHashMap.newKeySet();

  @Test
  @DisplayName("pages are exact with 3,000 volumes while others come and go (B175)")
  void threeThousandVolumes(@TempDir Path directory) throws Exception {
    live(directory, 3_000, 200, Duration.ofSeconds(30));
  }

  @Test
  @Tag("exhaustive")
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  @DisplayName("100,000 volumes: create stays as dear as it was, restart is quick (B175)")
  void aHundredThousandVolumes(@TempDir Path directory) throws Exception {
    // Of two processors, 5 s by the clock.
    live(directory, 100_000, 1_000, Duration.ofSeconds(10));
  }

  /**
   * @param measured of how many creates the time is taken, at the start and at the end
   * @param restart how much a restart may have all processors work
   */
  private void live(Path directory, int volumes, int measured, Duration restart) throws Exception {
    try (MainProcess driver = new MainProcess(directory, SHIPPED);
        ExecutorService pool = Executors.newFixedThreadPool(CALLERS + 1)) {
      create(pool, driver, 0, 2 * measured);
      Duration first = create(pool, driver, ids.size(), measured);
      driver.kill();
      driver.awaitEnd();
      ids.addAll(
          StoredVolumes.make(driver.root().resolve("state"), ids.size(), volumes - 3 * measured));
      driver.restart();
      create(pool, driver, ids.size(), 2 * measured);
      Duration last = create(pool, driver, ids.size(), measured);
      assertThat(ids).hasSize(volumes);
      Duration list = assertPagesAreExact(pool, driver.client());
      long peak = driver.peakKibibytes();
      long start = System.nanoTime();
      driver.restart();
      Duration restarted = since(start);
      Duration worked = driver.processorTime();
      List<String> listed = list(driver.client());
      assertThat(listed.size()).isEqualTo(ids.size());
      assertThat(new HashSet<>(listed).equals(ids)).as("the same after a restart").isTrue();
      System.out.printf(
          "%d volumes: first %d creates after the warm-up %d ms of all processors together, the"
              + " last %d ms; list of all %d ms beside changes; restart %d ms, of all processors"
              + " together %d ms; most memory %d MiB, after the restart %d MiB%n",
          volumes,
          measured,
          first.toMillis(),
          last.toMillis(),
          list.toMillis(),
          restarted.toMillis(),
          worked.toMillis(),
          peak / 1024,
          driver.peakKibibytes() / 1024);
      assertThat(Math.max(peak, driver.peakKibibytes())).as("KiB").isLessThan(MOST_KIBIBYTES);
      // Not by the clock: what else the machine does takes most of that where it does much.
      assertThat(last).as("work of creates at the end").isLessThan(first.multipliedBy(3));
      assertThat(worked).as("work of a restart with a warm cache").isLessThan(restart);
    }
  }

  /** So many volumes by several callers at once; how much it had the processors work. */
  private Duration create(ExecutorService pool, MainProcess driver, int from, int number)
      throws Exception {
    Client client = driver.client();
    Duration before = driver.processorTime();
    AtomicInteger next = new AtomicInteger(from);
    List<Future<?>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(
          pool.submit(
              () -> {
                for (int n = next.getAndIncrement();
                    n < from + number;
                    n = next.getAndIncrement()) {
                  ids.add(createOne(client, "volume " + n));
                }
              }));
    }
    for (Future<?> caller : callers) {
      Object _ = caller.get();
    }
    return driver.processorTime().minus(before);
  }

  private static String createOne(Client client, String name) {
    return client
        .controller()
        .createVolume(Requests.create(name).build())
        .getVolume()
        .getVolumeId();
  }

  /** All pages, while volumes beside those that were counted come and go. */
  private Duration assertPagesAreExact(ExecutorService pool, Client client) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Future<Integer> changes =
        pool.submit(
            () -> {
              int made = 0;
              do {
                String id = createOne(client, "passing " + made++);
                client
                    .controller()
                    .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
              } while (!done.get());
              return made;
            });
    try {
      long start = System.nanoTime();
      List<String> listed = list(client);
      Duration took = since(start);
      // As sets: lists of this length are compared one by one.
      Set<String> once = new HashSet<>(listed);
      assertThat(once.size()).as("each is listed once").isEqualTo(listed.size());
      assertThat(once.containsAll(ids)).as("all are listed").isTrue();
      // Of what came and went a page may show one each.
      assertThat(listed.size()).isLessThanOrEqualTo(ids.size() + ids.size() / PAGE + 2);
      return took;
    } finally {
      done.set(true);
      assertThat(changes.get()).isPositive();
    }
  }

  private static List<String> list(Client client) {
    List<String> listed = new ArrayList<>();
    String token = "";
    do {
      ListVolumesResponse page =
          client
              .controller()
              .listVolumes(
                  ListVolumesRequest.newBuilder()
                      .setMaxEntries(PAGE)
                      .setStartingToken(token)
                      .build());
      page.getEntriesList().forEach(entry -> listed.add(entry.getVolume().getVolumeId()));
      token = page.getNextToken();
    } while (!token.isEmpty());
    return listed;
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
