package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.testing.CrashPoint;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call that changes something dies at each boundary between its steps; then the driver starts
 * again. What was answered before is there, the call is done or not done at all, and a caller that
 * repeats it, or gives up and takes everything away, ends where one ends that saw no crash (rules
 * K7, K8; B059, B064, B074, B080).
 */
@DisplayName("a crash in the middle of a call")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CrashMatrixIT {
  private static final int SAMPLES = 2;
  private static final int KILLS = 5;
  private static final int DEATHS_IN_START = 4;

  /** Of seams of this driver, but it calls them never, or in its start only. */
  private static final Set<String> IN_NO_CALL = Set.of("remount", "whileUsed", "sweep");

  /** By the name of the scenario: they are the same in each test. */
  private static final Map<String, Known> KNOWN = new ConcurrentHashMap<>();

  private int folders;

  @BeforeAll
  static void needs() {
    assumeTrue(ServedDriver.canMount(), "mounts and loop devices need root");
    assumeTrue(
        Programs.missing("losetup", "mkfs.ext4", "mkfs.xfs").isEmpty(),
        "losetup, mkfs.ext4 and mkfs.xfs needed");
  }

  static List<CrashScenario> scenarios() {
    return CrashScenario.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenarios")
  void losesNothingAndLeavesNothing(CrashScenario scenario, @TempDir Path directory)
      throws Exception {
    Known known = know(scenario, directory);
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < SAMPLES; i++) {
      int boundary = random.nextInt(known.boundaries().size() + 1);
      crashOnce(scenario, known, new DriverThatDies(next(directory)), boundary, i % 2 == 0);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenarios")
  @Tag("exhaustive")
  void losesNothingAndLeavesNothingAtAnyBoundary(CrashScenario scenario, @TempDir Path directory)
      throws Exception {
    Known known = know(scenario, directory);
    for (int boundary = 0; boundary <= known.boundaries().size(); boundary++) {
      crashOnce(scenario, known, new DriverThatDies(next(directory)), boundary, true);
      crashOnce(scenario, known, new DriverThatDies(next(directory)), boundary, false);
    }
  }

  @Test
  void isTheSameWhereTheProcessReallyDies(@TempDir Path directory) throws Exception {
    Random random = new Random();
    for (int i = 0; i < KILLS; i++) {
      CrashScenario scenario = scenarios().get(random.nextInt(scenarios().size()));
      Known known = know(scenario, directory);
      int boundary = random.nextInt(known.boundaries().size() + 1);
      crashOnce(scenario, known, new DriverProcess(next(directory)), boundary, i % 2 == 0);
    }
  }

  /** Else a step, or a call, that somebody adds would be in no test of this class. */
  @Test
  @Order(Integer.MAX_VALUE)
  void everyCallThatChangesSomethingAndEveryBoundaryIsInTheMatrix(@TempDir Path directory)
      throws Exception {
    Set<String> calls = new TreeSet<>();
    Set<String> boundaries = new TreeSet<>();
    for (CrashScenario scenario : scenarios()) {
      Known known = know(scenario, directory);
      calls.addAll(known.calls());
      boundaries.addAll(known.boundaries());
    }
    assertThat(calls).containsAll(changingCalls());
    Set<String> all = new TreeSet<>(Stream.of(Steps.Step.values()).map(Enum::name).toList());
    CrashPoint.CHANGES.stream()
        .filter(change -> !IN_NO_CALL.contains(change))
        .forEach(change -> all.add("before " + change));
    assertThat(boundaries).isEqualTo(all);
  }

  private static Set<String> changingCalls() {
    return Stream.of(
            ControllerGrpc.getServiceDescriptor(),
            GroupControllerGrpc.getServiceDescriptor(),
            NodeGrpc.getServiceDescriptor())
        .flatMap(service -> service.getMethods().stream())
        .map(method -> String.valueOf(method.getBareMethodName()))
        .filter(name -> !name.matches("((Group)?Controller|Node)?(Get|List|Validate).*"))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenarios")
  @Tag("exhaustive")
  void isTheSameWhereverTheProcessReallyDies(CrashScenario scenario, @TempDir Path directory)
      throws Exception {
    Known known = know(scenario, directory);
    // One for all boundaries: each leaves it empty, and a start of the process takes its time.
    try (DriverProcess driver = new DriverProcess(next(directory))) {
      for (int boundary = 0; boundary <= known.boundaries().size(); boundary++) {
        crash(scenario, known, driver, boundary, boundary % 2 == 0);
      }
    }
  }

  private Path next(Path directory) throws IOException {
    return Files.createDirectory(directory.resolve("life-" + folders++));
  }

  /** A call that nobody disturbs. */
  private record Known(
      Path root,
      CrashPicture before,
      CrashPicture after,
      List<String> boundaries,
      Set<String> calls) {
    /** Where the driver lies has no part in the comparison. */
    CrashPicture at(CrashPicture picture, Path elsewhere) {
      return new CrashPicture(
          picture.committed().stream().map(line -> moved(line, elsewhere)).toList(),
          picture.node().stream().map(line -> moved(line, elsewhere)).toList());
    }

    private String moved(String line, Path elsewhere) {
      return line.replace(root.toString(), elsewhere.toString());
    }
  }

  private Known know(CrashScenario scenario, Path directory) throws Exception {
    Known known = KNOWN.get(scenario.name());
    if (known == null) {
      known = live(scenario, directory);
      KNOWN.put(scenario.name(), known);
    }
    return known;
  }

  private Known live(CrashScenario scenario, Path directory) throws Exception {
    try (DriverThatDies driver = new DriverThatDies(next(directory))) {
      CrashWorld world = new CrashWorld(driver);
      scenario.before().on(world);
      CrashPicture before = CrashPicture.of(world);
      driver.arm(Integer.MAX_VALUE);
      scenario.call().on(world);
      List<String> boundaries = driver.disarm();
      assertThat(boundaries).isNotEmpty();
      Set<String> calls = driver.calls();
      CrashPicture after = CrashPicture.of(world);
      scenario.call().on(world);
      assertThat(CrashPicture.of(world)).as("a second call").isEqualTo(after);
      world.endAll();
      return new Known(driver.root(), before, after, boundaries, calls);
    }
  }

  private static void crashOnce(
      CrashScenario scenario, Known known, CrashableDriver closed, int boundary, boolean repeat)
      throws Exception {
    try (CrashableDriver driver = closed) {
      crash(scenario, known, driver, boundary, repeat);
    }
  }

  private static void crash(
      CrashScenario scenario, Known known, CrashableDriver driver, int boundary, boolean repeat)
      throws Exception {
    String when =
        boundary == known.boundaries().size()
            ? scenario + ", before the answer is sent"
            : scenario + ", at boundary " + boundary + " of " + known.boundaries();
    try {
      CrashWorld world = new CrashWorld(driver);
      scenario.before().on(world);
      driver.arm(boundary);
      Throwable failure = catchThrowable(() -> scenario.call().on(world));
      if (boundary < known.boundaries().size()) {
        assertThat(failure).as(when).isInstanceOf(StatusRuntimeException.class);
      }
      if (driver instanceof DriverProcess process && !repeat) {
        // And once more while it makes good what the first death left.
        process.dieInStart(boundary % DEATHS_IN_START);
      }
      driver.restart();
      CrashPicture before = known.at(known.before(), driver.root());
      CrashPicture after = known.at(known.after(), driver.root());
      assertThat(CrashPicture.of(world).committed())
          .as(when)
          .isIn(before.committed(), after.committed());
      if (repeat) {
        scenario.call().on(world);
        assertThat(CrashPicture.of(world)).as(when).isEqualTo(after);
      }
      world.endAll();
    } catch (StatusRuntimeException e) {
      throw new AssertionError(when, e);
    }
  }
}
