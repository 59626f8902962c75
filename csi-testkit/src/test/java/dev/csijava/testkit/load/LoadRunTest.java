package dev.csijava.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.MountVolume;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.client.DriverEndpoint;
import dev.csijava.testkit.fake.FakeDriver;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Isolated("it compares times")
class LoadRunTest {
  @TempDir Path directory = Path.of("set by JUnit");

  @SuppressWarnings("NullAway.Init") // set before each test
  private FakeDriver first;

  @SuppressWarnings("NullAway.Init") // set before each test
  private FakeDriver second;

  @BeforeEach
  void start() throws IOException {
    first = FakeDriver.builder().name("first.example.com").start();
    second = FakeDriver.builder().name("second.example.com").start();
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  private LoadSettings settings(LoadWork work, boolean newConnection) {
    return new LoadSettings(
        work,
        4,
        2,
        Duration.ofMillis(300),
        Duration.ZERO,
        newConnection,
        1 << 20,
        VolumeCapability.newBuilder()
            .setMount(MountVolume.getDefaultInstance())
            .setAccessMode(
                AccessMode.newBuilder().setMode(AccessMode.Mode.SINGLE_NODE_MULTI_WRITER))
            .build(),
        Map.of(),
        Map.of("CreateVolume", Map.of("password", "canary-4711")),
        Optional.of(directory),
        Duration.ofSeconds(10));
  }

  private LoadRun run(LoadWork work, FakeDriver... drivers) {
    return new LoadRun(
        settings(work, false),
        Stream.of(drivers).map(driver -> DriverEndpoint.parse(driver.endpoint())).toList());
  }

  private void nothingIsLeft(FakeDriver driver) throws IOException {
    assertThat(driver.volumes()).isEmpty();
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void showsADelayOfTheSecondDriverAsRatio() throws Exception {
    first.script().on("NodePublishVolume").every().answerAfter(Duration.ofMillis(20));
    second.script().on("NodePublishVolume").every().answerAfter(Duration.ofMillis(200));
    boolean shown = false;
    // Where the machine stalls the times of a run tell nothing of the drivers.
    for (int attempt = 0; !shown && attempt < 10; attempt++) {
      LoadResult result = run(LoadWork.PUBLISH, first, second).run();
      assertThat(result.clean()).isTrue();
      CallFigures slow = result.drivers().get(1).of(CsiRpc.NODE_PUBLISH_VOLUME).orElseThrow();
      assertThat(slow.percentile(50)).isGreaterThanOrEqualTo(200_000_000L);
      assertThat(slow.buckets().values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(slow.calls());
      shown = showsTheDelay(result);
    }
    assertThat(shown).as("ten times slower by one of ten runs").isTrue();
    nothingIsLeft(first);
    nothingIsLeft(second);
  }

  private static boolean showsTheDelay(LoadResult result) {
    double delayed = result.ratio(CsiRpc.NODE_PUBLISH_VOLUME, 50).orElseThrow();
    double other = result.ratio(CsiRpc.NODE_UNPUBLISH_VOLUME, 50).orElseThrow();
    double fast = result.drivers().get(0).rate(CsiRpc.NODE_PUBLISH_VOLUME);
    double slow = result.drivers().get(1).rate(CsiRpc.NODE_PUBLISH_VOLUME);
    return delayed > 2 && delayed < 11 && other > 0.1 && other < 10 && fast > 1.5 * slow;
  }

  @ParameterizedTest
  @EnumSource
  void measuresItsCallsAndRemovesWhatItMade(LoadWork work) throws Exception {
    LoadResult result =
        new LoadRun(settings(work, true), List.of(DriverEndpoint.parse(first.endpoint()))).run();
    assertThat(result.clean()).as(LoadText.of(result).toString()).isTrue();
    CsiRpc expected =
        switch (work) {
          case PUBLISH -> CsiRpc.NODE_UNPUBLISH_VOLUME;
          case CREATE, MIXED -> CsiRpc.DELETE_VOLUME;
          case STATS -> CsiRpc.NODE_GET_VOLUME_STATS;
          case PROBE -> CsiRpc.PROBE;
        };
    assertThat(result.drivers().get(0).of(expected).orElseThrow().calls()).isPositive();
    nothingIsLeft(first);
  }

  @Test
  void keepsTheVolumesThatWereAskedForWhileItCreatesMore() throws Exception {
    first.script().on("CreateVolume").every().answerAfter(Duration.ofMillis(20));
    LoadRun run = run(LoadWork.CREATE, first);
    Thread runner = new Thread(() -> runQuietly(run));
    runner.start();
    while (runner.isAlive()) {
      assertThat(first.volumes()).hasSizeLessThanOrEqualTo(6);
      Thread.sleep(5);
    }
    List<Integer> there = volumesAfterEachCall();
    assertThat(there.subList(0, 4)).containsExactly(1, 2, 3, 4);
    assertThat(there.subList(3, there.size() - 4)).hasSizeGreaterThan(2).allMatch(n -> n >= 4);
    assertThat(there).allMatch(n -> n <= 6).endsWith(3, 2, 1, 0);
    nothingIsLeft(first);
  }

  private List<Integer> volumesAfterEachCall() {
    List<Integer> counts = new ArrayList<>();
    int count = 0;
    for (String rpc : first.calls().names()) {
      if (rpc.equals("CreateVolume")) {
        counts.add(++count);
      } else if (rpc.equals("DeleteVolume")) {
        counts.add(--count);
      }
    }
    return counts;
  }

  private static void runQuietly(LoadRun run) {
    try {
      assertThat(run.run().drivers()).hasSize(1);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void removesWhatItMadeWhenItIsStopped() throws Exception {
    LoadRun run =
        new LoadRun(
            new LoadSettings(
                LoadWork.MIXED,
                10,
                4,
                Duration.ofMinutes(5),
                Duration.ZERO,
                false,
                1 << 20,
                settings(LoadWork.MIXED, false).capability(),
                Map.of(),
                Map.of(),
                Optional.of(directory),
                Duration.ofSeconds(10)),
            List.of(DriverEndpoint.parse(first.endpoint())));
    Thread stopper =
        new Thread(
            () -> {
              while (first.calls().of("NodeUnpublishVolume").size() < 20) {
                Thread.onSpinWait();
              }
              run.stop("enough");
            });
    stopper.start();
    LoadResult result = run.run();
    stopper.join();
    assertThat(result.broken()).isEqualTo("enough");
    assertThat(result.clean()).isFalse();
    nothingIsLeft(first);
  }

  @Test
  void countsFailuresAndRemovesVolumesWhoseFateIsUnknown() throws Exception {
    first
        .script()
        .on("CreateVolume")
        .call(5)
        .commitThenFail(Status.Code.UNAVAILABLE, "it is canary-4711");
    first.script().on("NodeStageVolume").call(1).fail(Status.Code.INTERNAL, "no");
    LoadResult result = run(LoadWork.MIXED, first).run();
    assertThat(result.clean()).isFalse();
    assertThat(LoadText.of(result))
        .contains("A: 1 calls of NodeStageVolume failed, first: INTERNAL: no")
        .anyMatch(line -> line.contains("CreateVolume failed, first: UNAVAILABLE: it is "))
        .noneMatch(line -> line.contains("canary-4711"));
    nothingIsLeft(first);
  }

  @Test
  void saysWhatItCouldNotRemove() throws Exception {
    first.script().on("DeleteVolume").every().fail(Status.Code.INTERNAL, "never");
    LoadResult result = run(LoadWork.STATS, first).run();
    assertThat(result.clean()).isFalse();
    assertThat(result.leftovers()).hasSize(4).allMatch(left -> left.endsWith("INTERNAL: never"));
  }

  @Test
  void refusesWorkThatADriverCannotDo() throws Exception {
    try (FakeDriver driver =
        FakeDriver.builder()
            .without(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS)
            .without(NodeServiceCapability.RPC.Type.VOLUME_CONDITION)
            .start()) {
      assertThatThrownBy(() -> run(LoadWork.STATS, driver).run())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("does not serve NodeGetVolumeStats");
    }
    try (FakeDriver driver =
        FakeDriver.builder()
            .without(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME)
            .without(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME)
            .start()) {
      assertThat(run(LoadWork.MIXED, driver).run().clean()).isTrue();
      nothingIsLeft(driver);
    }
  }

  @Test
  void writesOnePageThatLoadsNothing() throws Exception {
    LoadResult result = run(LoadWork.PROBE, first, second).run();
    Path reports = directory.resolve("reports");
    LoadReports.writeTo(reports, result);
    String page = Files.readString(reports.resolve("load.html"));
    assertThat(page)
        .contains("first.example.com")
        .contains("second.example.com")
        .contains("<h2>Probe</h2>")
        .contains("B / A")
        .contains("style=\"width:")
        .doesNotContain("http://")
        .doesNotContain("https://")
        .doesNotContain("<script");
    assertThat(Files.readString(reports.resolve("load.json"))).contains("\"p99.9\"", "\"max\"");
    assertThat(Files.readAllLines(reports.resolve("load.txt"))).isEqualTo(LoadText.of(result));
    assertThat(LoadText.of(result))
        .anyMatch(line -> line.startsWith("  B / A"))
        .anyMatch(line -> line.matches("  A {2}< [0-9]+ (us|ms) +[0-9]+ #+"));
  }

  @Test
  void boundsGoOneTwoFive() {
    assertThat(Stream.of(0L, 1L, 2L, 4L, 5L, 99L, 100L, 1_999L).map(CallFigures::bound))
        .containsExactly(1L, 2L, 5L, 5L, 10L, 100L, 200L, 2_000L);
  }
}
