package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.mounts.KernelMounts;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.Volume;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 at random moments: nothing that was answered is lost, nothing half made is served. */
class KillIT {
  private static final int ROUNDS = 4;
  private static final int CALLERS = 3;

  /** The id that callers were told, by volume name. */
  private final Map<String, String> created = new ConcurrentHashMap<>();

  private final Set<String> deleted = ConcurrentHashMap.newKeySet();
  private final Set<String> unsure = ConcurrentHashMap.newKeySet();

  @Test
  void whatWasAnsweredOutlivesAKillAtAnyMoment(@TempDir Path directory) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      int port = freePort();
      Process process = start(directory, port);
      try (Client client = new Client(port)) {
        client.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
        CountDownLatch answered = new CountDownLatch(1);
        List<Thread> callers = callers(client, round, answered);
        assertThat(answered.await(1, TimeUnit.MINUTES)).as("nothing is answered").isTrue();
        Thread.sleep(random.nextInt(700));
        process.destroyForcibly();
        for (Thread caller : callers) {
          caller.join(TimeUnit.MINUTES.toMillis(1));
          assertThat(caller.isAlive()).isFalse();
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
      check(directory, "seed " + seed + ", round " + round);
    }
  }

  private List<Thread> callers(Client client, int round, CountDownLatch answered) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      String prefix = "round " + round + " caller " + i + " volume ";
      threads.add(Thread.ofPlatform().start(() -> callUntilItDies(client, prefix, answered)));
    }
    return threads;
  }

  private void callUntilItDies(Client client, String prefix, CountDownLatch answered) {
    String underWay = "";
    try {
      String source = "";
      for (int i = 0; ; i++) {
        underWay = prefix + i;
        var request = Requests.create(underWay);
        if (!source.isEmpty() && i % 3 == 2) {
          request.setVolumeContentSource(Requests.fromVolume(source));
        }
        Volume volume = client.impatientController().createVolume(request.build()).getVolume();
        created.put(underWay, volume.getVolumeId());
        answered.countDown();
        if (i % 4 == 3) {
          client
              .impatientController()
              .deleteVolume(
                  DeleteVolumeRequest.newBuilder().setVolumeId(volume.getVolumeId()).build());
          deleted.add(underWay);
        } else {
          source = volume.getVolumeId();
        }
      }
    } catch (StatusRuntimeException e) {
      unsure.add(underWay);
    }
  }

  private void check(Path directory, String when) throws IOException {
    try (StateDirectory state =
        StateDirectory.open(
            directory.resolve("state"),
            new LocalDisk(),
            new KernelMounts(),
            Steps.NONE,
            TestState.clock())) {
      assertThat(state.quarantined()).as(when).isEmpty();
      try (Stream<Path> pending = Files.list(state.root().resolve("pending"))) {
        assertThat(pending).as(when).isEmpty();
      }
      for (Map.Entry<String, String> entry : created.entrySet()) {
        var found = state.volumes().byName(entry.getKey()).map(Record::getId);
        if (deleted.contains(entry.getKey())) {
          assertThat(found).as(when).isEmpty();
        } else if (!unsure.contains(entry.getKey())) {
          assertThat(found).as(when).contains(entry.getValue());
        }
      }
      Set<String> names = new HashSet<>();
      state
          .volumes()
          .after(null)
          .forEach(
              record -> {
                assertThat(names.add(record.getName())).as(when).isTrue();
                assertThat(
                        created.containsKey(record.getName()) || unsure.contains(record.getName()))
                    .as(when)
                    .isTrue();
                assertThat(state.volumes().data(record)).as(when).isDirectory();
              });
    }
  }

  private static Process start(Path directory, int port) throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-cp",
            classPath,
            "dev.csijava.hostpath.Main",
            "--endpoint=tcp://127.0.0.1:" + port,
            "--nodeid=node-1",
            "--statedir=" + directory.resolve("state"),
            "--rundir=" + directory.resolve("run"))
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("log").toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
