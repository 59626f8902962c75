package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.settings.AttachSettings;
import dev.csijava.hostpath.settings.ExpansionSettings;
import dev.csijava.hostpath.settings.FeatureSettings;
import dev.csijava.hostpath.settings.MetadataSettings;
import dev.csijava.hostpath.settings.ModifySettings;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.hostpath.testing.StillTree;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every call of the driver, all options on, with a hostile text in each field that has one: in all
 * that are no paths, and in all that are. What lies around the state directory is watched by its
 * times of change, which nobody can set.
 */
class HostileInputIT {
  private static final VolumeCapability SHARED = Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER);
  private static final String TEXT = "of somebody else";

  private ServedDriver driver;
  private Path root = Path.of("");
  private Path victim = Path.of("");
  private String volume = "";

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    assumeTrue(ServedDriver.canMount(), "bind mounts need root");
    driver = ServedDriver.start(directory, HostileInputIT::everything, HostpathDriver::open);
    root = driver.root();
    victim = Files.createDirectory(root.resolve("victim"));
    Files.createDirectory(victim.resolve("below"));
    for (String name : List.of("victim/file", "victim/below/file", "victim.snap", "state/x.snap")) {
      Files.writeString(root.resolve(name), TEXT);
    }
    Files.createSymbolicLink(root.resolve("link"), victim);
    volume = driver.create(Requests.create("kept")).getVolumeId();
    var _ =
        driver
            .client()
            .controller()
            .controllerPublishVolume(
                ControllerPublishVolumeRequest.newBuilder()
                    .setVolumeId(volume)
                    .setNodeId("node-1")
                    .setVolumeCapability(SHARED)
                    .build());
    driver.stage(volume, SHARED);
    Files.writeString(driver.publish(volume, "pod", SHARED, false).resolve("file"), TEXT);
  }

  @AfterEach
  void stop() throws IOException {
    if (driver != null) {
      driver.close();
    }
  }

  private static HostpathSettings everything(HostpathSettings settings) {
    return settings
        .withAttach(new AttachSettings(true, 0, 0))
        .withFeatures(
            new FeatureSettings(
                false,
                true,
                true,
                ExpansionSettings.DEFAULTS,
                new ModifySettings(true, Optional.empty()),
                new MetadataSettings(true, BlockMetadataType.FIXED_LENGTH)));
  }

  private List<String> hostile() {
    List<String> all = new ArrayList<>();
    for (int up = 0; up < 4; up++) {
      all.add("../".repeat(up) + "victim");
    }
    all.addAll(
        List.of(
            victim.toString(),
            victim + "/",
            victim + "/below/..",
            root.resolve("link").toString(),
            victim.resolve("file").toString(),
            "x/../../victim",
            volume + "/../../../victim",
            "..",
            "/",
            "lock",
            "victim\u0000"));
    return all;
  }

  @Test
  @DisplayName("K2: whatever a field says, nothing outside the state directory is touched")
  void noFieldOfAnyCallLeadsOutside() throws IOException {
    Map<String, String> before = surroundings();
    int calls = 0;
    for (MethodDescriptor<Message, Message> method : methods()) {
      for (String text : hostile()) {
        for (Depth depth : Depth.values()) {
          call(method, filled(prototype(method), depth, f -> isPath(f) ? fresh() : text));
          call(method, filled(prototype(method), depth, f -> isPath(f) ? text : volume));
          calls += 2;
        }
      }
    }
    for (String text : hostile()) {
      call(NodeGrpc.getNodePublishVolumeMethod(), inline(text, fresh()));
      call(NodeGrpc.getNodePublishVolumeMethod(), inline("inline", text));
    }

    assertThat(calls).isGreaterThan(500);
    assertThat(surroundings()).isEqualTo(before);
    assertThat(driver.target("pod").resolve("file")).hasContent(TEXT);
    for (Mount mount : MountTable.read().below(root)) {
      assertThat(mount.target().startsWith(root.resolve("kubelet"))).as("%s", mount).isTrue();
    }
  }

  /** Which fields have a text: with all of them much is refused before it is looked at. */
  private enum Depth {
    TOP,
    ALL
  }

  private String fresh() {
    return root.resolve("kubelet/pods/fresh").toString();
  }

  private static boolean isPath(FieldDescriptor field) {
    return field.getName().endsWith("_path");
  }

  private static Message inline(String id, String target) {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId(id)
        .setTargetPath(target)
        .setVolumeCapability(SHARED)
        .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
        .build();
  }

  /** Capabilities and numbers stay well-formed, so that the call gets as far as it can. */
  private static Message filled(
      Message empty, Depth depth, Function<FieldDescriptor, String> texts) {
    Message.Builder builder = empty.toBuilder();
    for (FieldDescriptor field : builder.getDescriptorForType().getFields()) {
      if (field.getContainingOneof() != null && builder.hasOneof(field.getContainingOneof())) {
        continue;
      }
      if (field.getType() == FieldDescriptor.Type.STRING) {
        set(builder, field, texts.apply(field));
      } else if (field.getType() == FieldDescriptor.Type.MESSAGE) {
        Message child = builder.newBuilderForField(field).buildPartial();
        if (child instanceof VolumeCapability) {
          set(builder, field, SHARED);
        } else if (depth == Depth.ALL) {
          set(builder, field, filled(child, depth, texts));
        }
      }
    }
    return builder.build();
  }

  private static void set(Message.Builder builder, FieldDescriptor field, Object value) {
    if (field.isRepeated()) {
      builder.addRepeatedField(field, value);
    } else {
      builder.setField(field, value);
    }
  }

  private <Q, A> void call(MethodDescriptor<Q, A> method, Message request) {
    @SuppressWarnings("unchecked")
    Q typed = (Q) request;
    try {
      if (method.getType() == MethodDescriptor.MethodType.UNARY) {
        A _ =
            ClientCalls.blockingUnaryCall(
                driver.client().channel(), method, CallOptions.DEFAULT, typed);
      } else {
        ClientCalls.blockingServerStreamingCall(
                driver.client().channel(), method, CallOptions.DEFAULT, typed)
            .forEachRemaining(reply -> {});
      }
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getDescription()).as("a sentence").isNotBlank();
    }
  }

  @SuppressWarnings("unchecked")
  private static List<MethodDescriptor<Message, Message>> methods() {
    return Stream.of(
            IdentityGrpc.getServiceDescriptor(),
            ControllerGrpc.getServiceDescriptor(),
            GroupControllerGrpc.getServiceDescriptor(),
            SnapshotMetadataGrpc.getServiceDescriptor(),
            NodeGrpc.getServiceDescriptor())
        .map(ServiceDescriptor::getMethods)
        .flatMap(java.util.Collection::stream)
        .map(method -> (MethodDescriptor<Message, Message>) method)
        .toList();
  }

  private static Message prototype(MethodDescriptor<Message, Message> method) {
    Object prototype =
        ((MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller())
            .getMessagePrototype();
    return (Message) Objects.requireNonNull(prototype);
  }

  /** All that lies around what belongs to the driver and to kubelet. */
  private Map<String, String> surroundings() throws IOException {
    Map<String, String> found = new TreeMap<>();
    StillTree.of(root, root.resolve("state/trash")).stream()
        .filter(path -> !path.startsWith(root.resolve("run")))
        .filter(path -> !path.startsWith(root.resolve("kubelet")))
        .filter(path -> !path.startsWith(root.resolve("state")) || path.endsWith("x.snap"))
        .forEach(path -> found.put(path.toString(), facts(path)));
    return found;
  }

  private static String facts(Path path) {
    try {
      return Files.readAttributes(
              path, "unix:ino,mode,uid,gid,nlink,size,ctime", LinkOption.NOFOLLOW_LINKS)
          .toString();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
