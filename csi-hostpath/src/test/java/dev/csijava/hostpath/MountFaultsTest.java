package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.mount.FaultyMounter;
import dev.csijava.core.mount.FaultyMounter.Fault;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.FakeKernel;
import dev.csijava.hostpath.testing.FakeMachine;
import dev.csijava.hostpath.testing.PlainTreeCopier;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A mount or unmount that goes wrong in any way: the node call fails, or what it promises is so;
 * repeated it succeeds, given up it leaves nothing (B035, B043, B068).
 */
class MountFaultsTest {
  private static final String POD = "pod";
  private static final int PATIENCE = 3;

  private final FakeKernel kernel = new FakeKernel();
  private final ExchangedMounter mounter = new ExchangedMounter(kernel);
  private FakeMachine machine;
  private HostpathDriver driver;
  private CsiServer server;
  private Client client;
  private CrashWorld world;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    Path root = directory.toRealPath();
    machine = new FakeMachine(kernel, Files.createDirectory(root.resolve("dev")), new LocalDisk());
    driver =
        HostpathDriver.open(
            DriverThatDies.settings(root),
            new Host(
                new LocalDisk(),
                mounter,
                kernel,
                machine.usage(),
                new PlainTreeCopier(),
                machine.fileCopier(),
                stateDirectory -> machine.loops(),
                machine.filesystems(),
                Steps.NONE,
                TestState.clock()));
    server =
        CsiServer.forDriver(driver.driver())
            .endpoint(CsiEndpoint.parse("tcp://127.0.0.1:0"))
            .start();
    client = Client.of(server.endpoint().toString());
    world = new CrashWorld(new Served(root, client));
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
    driver.close();
  }

  /** The kinds of volumes, as requests for them. */
  enum Kind {
    DIRECTORY,
    IMAGE,
    BLOCK
  }

  static Stream<Arguments> faults() {
    return Stream.of(Kind.values())
        .flatMap(kind -> Stream.of(Fault.values()).map(fault -> Arguments.of(kind, fault)));
  }

  private Path create(Kind kind) throws IOException {
    world.create(
        "v",
        switch (kind) {
          case DIRECTORY -> Requests.create("v");
          case IMAGE -> Requests.image("v", "ext4", Requests.SIZE);
          case BLOCK -> Requests.blockVolume("v", Requests.SIZE);
        });
    world.attach("v");
    Path data = world.root().resolve("state/volumes").resolve(world.id("v")).resolve("data");
    if (kind == Kind.DIRECTORY) {
      Files.writeString(data.resolve("file"), "written before");
    }
    return data;
  }

  @ParameterizedTest
  @MethodSource("faults")
  @DisplayName("a node call that fails can be repeated until it is done (B035)")
  void aNodeCallThatFailsCanBeRepeated(Kind kind, Fault fault) throws IOException {
    Path data = create(kind);
    boolean device = kind == Kind.BLOCK;
    int struck = 0;

    struck += untilDone(fault, () -> world.stage("v"), () -> device || isMounted(staging()));
    struck += untilDone(fault, () -> world.publish("v", POD, false), () -> isMounted(target()));
    struck += untilDone(fault, () -> world.unpublish("v", POD), () -> isGone(target()));
    struck += untilDone(fault, () -> world.unstage("v"), () -> !isMounted(staging()));

    assertThat(struck).as("faults that were met").isGreaterThanOrEqualTo(device ? 2 : 4);
    assertUntouched(kind, data);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @MethodSource("faults")
  @DisplayName("a node call that failed can be given up (B043)")
  void aNodeCallThatFailedCanBeGivenUp(Kind kind, Fault fault) throws IOException {
    Path data = create(kind);
    for (int call = 0; call < PATIENCE; call++) {
      attempt(fault, call, () -> world.stage("v"));
      world.unstage("v");
      world.stage("v");
      attempt(fault, call, () -> world.publish("v", POD, false));
      world.unpublish("v", POD);
      world.unstage("v");
      assertThat(kernel.targets()).isEmpty();
      assertThat(isGone(target())).isTrue();
    }
    assertUntouched(kind, data);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @MethodSource("faults")
  @DisplayName("publishing what is not staged any more can be repeated or given up (B047)")
  void publishingWhatIsNotStagedCanBeRepeated(Kind kind, Fault fault) throws IOException {
    Path data = create(kind);
    untilDone(fault, () -> world.publish("v", POD, false), () -> isMounted(target()));
    untilDone(fault, () -> world.unpublish("v", POD), () -> isGone(target()));
    untilDone(fault, () -> world.unstage("v"), () -> !isMounted(staging()));
    assertUntouched(kind, data);
    assertNothingIsLeft();
  }

  static Stream<Arguments> faultsOfInlineVolumes() {
    return Stream.of("directory", "image")
        .flatMap(backing -> Stream.of(Fault.values()).map(fault -> Arguments.of(backing, fault)));
  }

  @ParameterizedTest
  @MethodSource("faultsOfInlineVolumes")
  @DisplayName("an inline volume outlives no publish that failed (B067)")
  void anInlineVolumeCanBeRepeatedAndGivenUp(String backing, Fault fault) throws IOException {
    untilDone(fault, () -> world.publishInline("inline", POD, backing), () -> isMounted(target()));
    untilDone(fault, () -> world.unpublish("inline", POD), () -> isGone(target()));
    assertThat(CrashPicture.listedVolumes(client)).isEmpty();

    attempt(fault, 0, () -> world.publishInline("inline", POD, backing));
    if (fault == Fault.FAILS) {
      assertThat(CrashPicture.listedVolumes(client)).as("after a publish that failed").isEmpty();
    }
    world.unpublish("inline", POD);
    assertNothingIsLeft();
  }

  private Path staging() throws IOException {
    return world.staging("v");
  }

  private Path target() throws IOException {
    return world.target(POD);
  }

  private boolean isMounted(Path path) {
    return kernel.targets().contains(path);
  }

  private boolean isGone(Path path) {
    return !isMounted(path) && Files.notExists(path);
  }

  /** What a call promises. */
  @FunctionalInterface
  private interface Promise {
    boolean isKept() throws IOException;
  }

  /** A call. */
  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  /** Whether it failed. */
  private boolean attempt(Fault fault, int number, Call call) {
    mounter.next(new FaultyMounter(kernel, number, fault));
    try {
      return catchThrowableOfType(StatusRuntimeException.class, call::run) != null;
    } finally {
      mounter.next(kernel);
    }
  }

  /** Each mounting call of it goes wrong once; the number of those that did. */
  private int untilDone(Fault fault, Call call, Promise promise) throws IOException {
    int struck = 0;
    for (int number = 0; number < PATIENCE; number++) {
      FaultyMounter faulty = new FaultyMounter(kernel, number, fault);
      mounter.next(faulty);
      StatusRuntimeException failure =
          catchThrowableOfType(StatusRuntimeException.class, call::run);
      mounter.next(kernel);
      if (faulty.hasStruck()) {
        struck++;
      }
      assertThat(failure != null || promise.isKept())
          .as("%s at mounting call %s was answered with OK", fault, number)
          .isTrue();
    }
    call.run();
    assertThat(promise.isKept()).isTrue();
    return struck;
  }

  private void assertUntouched(Kind kind, Path data) throws IOException {
    if (kind == Kind.DIRECTORY) {
      assertThat(data.resolve("file")).hasContent("written before");
    } else {
      assertThat(Files.size(data)).isEqualTo(Requests.SIZE);
    }
  }

  private void assertNothingIsLeft() throws IOException {
    assertThat(kernel.targets()).isEmpty();
    assertThat(machine.loops().files()).isEmpty();
    world.endAll();
  }

  /** The driver as the world wants it; nobody lets it die. */
  private record Served(Path root, Client client) implements RestartableDriver {
    @Override
    public void restart() {}

    @Override
    public void close() {}
  }

  /** A mounter that is another one for each call. */
  private static final class ExchangedMounter implements Mounter {
    private volatile Mounter now;

    ExchangedMounter(Mounter first) {
      now = first;
    }

    void next(Mounter next) {
      now = next;
    }

    @Override
    public void bind(Path source, Path target, MountOptions options) {
      now.bind(source, target, options);
    }

    @Override
    public void mount(String source, Path target, String type, List<String> options) {
      now.mount(source, target, type, options);
    }

    @Override
    public void unmount(Path target) {
      now.unmount(target);
    }

    @Override
    public Optional<Mount> mountAt(Path target) {
      return now.mountAt(target);
    }

    @Override
    public boolean isMountOf(Path source, Path target) {
      return now.isMountOf(source, target);
    }
  }
}
