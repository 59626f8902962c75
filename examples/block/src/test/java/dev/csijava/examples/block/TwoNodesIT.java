package dev.csijava.examples.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.LoopDevices;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What this driver promises: a volume moves from node to node, and is never at two at once. */
class TwoNodesIT {
  private static final long MIB = 1 << 20;
  private static final String MEMO = "written on the first node";

  @TempDir Path directory = Path.of("set by JUnit");

  private TwoNodes nodes;
  private Caller caller;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(TwoNodes.canMount(), "loop devices need root");
    Path root = directory.toRealPath();
    nodes = TwoNodes.start(root);
    caller = new Caller(nodes, root);
  }

  @AfterEach
  void stop() throws IOException {
    if (caller != null) {
      caller.close();
    }
    if (nodes != null) {
      nodes.close();
    }
  }

  @Test
  void aVolumeMovesFromOneNodeToTheOtherAndKeepsItsData() throws IOException {
    String volume = caller.create("moved", 4 * MIB);
    Path target = use(volume, TwoNodes.ONE);
    write(target, MEMO);

    StatusRuntimeException refusal =
        refusal(() -> caller.attach(volume, TwoNodes.TWO, Caller.WRITER));
    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(refusal.getStatus().getDescription()).contains(TwoNodes.ONE);

    release(volume, TwoNodes.ONE, target);
    Path elsewhere = use(volume, TwoNodes.TWO);
    assertThat(read(elsewhere)).isEqualTo(MEMO);
    release(volume, TwoNodes.TWO, elsewhere);
    caller.delete(volume);
  }

  @Test
  void aNodeDoesNotTouchWhatIsAttachedToTheOther() {
    String volume = caller.create("elsewhere", 4 * MIB);
    Map<String, String> context = caller.attach(volume, TwoNodes.ONE, Caller.WRITER);

    StatusRuntimeException stage =
        refusal(() -> caller.stage(volume, TwoNodes.TWO, Caller.WRITER, context));
    StatusRuntimeException publish =
        refusal(() -> caller.publish(volume, TwoNodes.TWO, Caller.WRITER, context));
    StatusRuntimeException unattached =
        refusal(() -> caller.stage(volume, TwoNodes.TWO, Caller.WRITER, Map.of()));

    assertThat(stage.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(stage.getStatus().getDescription()).contains(TwoNodes.ONE);
    assertThat(publish.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(publish.getStatus().getDescription()).contains(TwoNodes.ONE);
    assertThat(unattached.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
  }

  @Test
  void anAttachmentOutlivesTheController() throws IOException {
    String volume = caller.create("kept", 4 * MIB);
    caller.attach(volume, TwoNodes.ONE, Caller.WRITER);

    nodes.restartController();

    assertThat(refusal(() -> caller.attach(volume, TwoNodes.TWO, Caller.WRITER)))
        .hasMessageContaining(TwoNodes.ONE);
    assertThat(refusal(() -> caller.delete(volume)).getStatus().getCode())
        .isEqualTo(Status.Code.FAILED_PRECONDITION);
    caller.detach(volume, TwoNodes.ONE);
    caller.attach(volume, TwoNodes.TWO, Caller.WRITER);
  }

  @Test
  void aVolumeGrowsWhileItsDeviceIsOpen() throws IOException {
    String volume = caller.create("grown", 4 * MIB);
    Path target = use(volume, TwoNodes.ONE);
    try (FileChannel open =
        FileChannel.open(target, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      assertThat(open.size()).isEqualTo(4 * MIB);
      open.write(ByteBuffer.wrap(MEMO.getBytes(StandardCharsets.UTF_8)), 0);

      assertThat(caller.expand(volume, 9 * MIB)).isEqualTo(9 * MIB);
      assertThat(caller.expandOnNode(volume, TwoNodes.ONE, target)).isEqualTo(9 * MIB);

      assertThat(open.size()).isEqualTo(9 * MIB);
      open.write(ByteBuffer.wrap(MEMO.getBytes(StandardCharsets.UTF_8)), 8 * MIB);
    }
    assertThat(read(target)).isEqualTo(MEMO);
    release(volume, TwoNodes.ONE, target);
  }

  @Test
  void whatIsAttachedForReadersRefusesWrites() throws IOException {
    String volume = caller.create("read", 4 * MIB);
    Map<String, String> one = caller.attach(volume, TwoNodes.ONE, Caller.READERS);
    Map<String, String> two = caller.attach(volume, TwoNodes.TWO, Caller.READERS);
    caller.stage(volume, TwoNodes.ONE, Caller.READERS, one);
    caller.stage(volume, TwoNodes.TWO, Caller.READERS, two);
    Path target = caller.publish(volume, TwoNodes.ONE, Caller.READERS, one);

    assertThat(catchThrowableOfType(IOException.class, () -> write(target, MEMO))).isNotNull();
    assertThat(refusal(() -> caller.attach(volume, TwoNodes.ONE, Caller.WRITER)).getStatus())
        .extracting(Status::getCode)
        .isEqualTo(Status.Code.ALREADY_EXISTS);

    release(volume, TwoNodes.ONE, target);
    caller.detach(volume, TwoNodes.TWO);
  }

  /** Rule K6: callers believe it staged, and do not stage it again. */
  @Test
  void aDeviceThatARebootTookIsBackWithTheNextPublish() throws IOException {
    String volume = caller.create("rebooted", 4 * MIB);
    Path target = use(volume, TwoNodes.ONE);
    write(target, MEMO);
    caller.unpublish(volume, TwoNodes.ONE, target);
    caller.unstage(volume, TwoNodes.ONE);

    Map<String, String> context = caller.attach(volume, TwoNodes.ONE, Caller.WRITER);
    Path again = caller.publish(volume, TwoNodes.ONE, Caller.WRITER, context);

    assertThat(read(again)).isEqualTo(MEMO);
    release(volume, TwoNodes.ONE, again);
  }

  /** Rule K5: a target shows a device number, which the kernel would give to another volume. */
  @Test
  void aDeviceThatATargetShowsIsNotReleased() throws IOException {
    String volume = caller.create("published", 4 * MIB);
    Path target = use(volume, TwoNodes.ONE);

    StatusRuntimeException refusal = refusal(() -> caller.unstage(volume, TwoNodes.ONE));

    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(refusal.getStatus().getDescription()).contains(target.toString());
    release(volume, TwoNodes.ONE, target);
  }

  /** Rule K1: a restarted node that can't see its volumes does not take their devices from pods. */
  @Test
  void aSweepLeavesWhatATargetShowsWhateverTheDirectorySays() throws IOException {
    String volume = caller.create("shown", 4 * MIB);
    Path target = use(volume, TwoNodes.ONE);
    write(target, MEMO);
    Path empty = Files.createDirectory(directory.toRealPath().resolve("not-mounted-yet"));

    BlockDriver.node(new SharedDirectory(empty), TwoNodes.ONE);

    assertThat(read(target)).isEqualTo(MEMO);
    release(volume, TwoNodes.ONE, target);
  }

  /** Rule K5: nobody's data is behind it, and the pod could not end otherwise. */
  @Test
  void aTargetWhoseDeviceLostItsImageIsUnpublished() throws IOException {
    String volume = caller.create("lost", 4 * MIB);
    Path target = use(volume, TwoNodes.ONE);
    LoopDevices loops = LoopDevices.system("csi-block-example");
    loops.detach(directory.toRealPath().resolve("shared").resolve(volume).resolve("image"));

    caller.unpublish(volume, TwoNodes.ONE, target);

    assertThat(target).doesNotExist();
    caller.unstage(volume, TwoNodes.ONE);
    caller.detach(volume, TwoNodes.ONE);
  }

  private Path use(String volume, String node) throws IOException {
    Map<String, String> context = caller.attach(volume, node, Caller.WRITER);
    caller.stage(volume, node, Caller.WRITER, context);
    return caller.publish(volume, node, Caller.WRITER, context);
  }

  private void release(String volume, String node, Path target) {
    caller.unpublish(volume, node, target);
    caller.unstage(volume, node);
    caller.detach(volume, node);
  }

  private static StatusRuntimeException refusal(ThrowingCallable call) {
    StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(refusal).as("the call should have failed").isNotNull();
    return refusal;
  }

  private static void write(Path device, String text) throws IOException {
    try (FileChannel channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
      channel.force(true);
    }
  }

  private static String read(Path device) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MEMO.length());
    try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
      int read = 0;
      while (bytes.hasRemaining() && read >= 0) {
        read = channel.read(bytes, bytes.position());
      }
    }
    return new String(bytes.array(), StandardCharsets.UTF_8);
  }
}
