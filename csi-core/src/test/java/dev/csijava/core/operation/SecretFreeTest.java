package dev.csijava.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldOptions;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.CsiProto;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import org.junit.jupiter.api.Test;

class SecretFreeTest {
  @Test
  void everyRequestOfTheInterfaceLosesItsSecrets() {
    int withSecrets = 0;
    for (Descriptor type : CsiProto.getDescriptor().getMessageTypes()) {
      if (type.findFieldByName("secrets") != null) {
        Message filled = withSecret(type);
        assertThat(filled.toString()).contains("canary");
        assertThat(SecretFree.copyOf(filled).toString()).doesNotContain("canary");
        withSecrets++;
      }
    }
    assertThat(withSecrets).isGreaterThan(15);
  }

  @Test
  void aMessageWithoutSecretsIsNotCopied() {
    Message info = NodeGetInfoRequest.getDefaultInstance();
    Message unpublish = NodeUnpublishVolumeRequest.newBuilder().setVolumeId("v").build();
    assertThat(SecretFree.copyOf(info)).isSameAs(info);
    assertThat(SecretFree.copyOf(unpublish)).isSameAs(unpublish);
  }

  @Test
  void secretsAreFoundAtAnyDepthAndInListsAndInTypesThatHoldThemselves() throws Exception {
    Descriptor node = nodeType();
    DynamicMessage leaf = node(node, "leaf", "canary").build();
    DynamicMessage.Builder root = node(node, "root", "canary");
    root.setField(node.findFieldByName("child"), node(node, "child", "canary").build());
    root.addRepeatedField(node.findFieldByName("children"), leaf);
    root.addRepeatedField(node.findFieldByName("children"), leaf);
    assertThat(SecretFree.copyOf(root.build()).toString())
        .contains("root", "child", "leaf")
        .doesNotContain("canary");
    assertThat(SecretFree.copyToStore(root.build()).toString())
        .contains("root", "child", "leaf")
        .doesNotContain("canary");
  }

  @Test
  void aFingerprintLeavesThemOutAtAnyDepthToo() throws Exception {
    assertThat(Fingerprint.of(tree("canary", "leaf")))
        .isEqualTo(Fingerprint.of(tree("another", "leaf")))
        .isNotEqualTo(Fingerprint.of(tree("canary", "other leaf")));
  }

  private static Message tree(String secret, String leaf) throws Exception {
    Descriptor node = nodeType();
    return node(node, "root", secret)
        .addRepeatedField(node.findFieldByName("children"), node(node, leaf, secret).build())
        .setField(node.findFieldByName("child"), node(node, "child", secret).build())
        .build();
  }

  private static Message withSecret(Descriptor type) {
    var field = type.findFieldByName("secrets");
    Descriptor entry = field.getMessageType();
    return DynamicMessage.newBuilder(type)
        .addRepeatedField(
            field,
            DynamicMessage.newBuilder(entry)
                .setField(entry.findFieldByNumber(1), "key")
                .setField(entry.findFieldByNumber(2), "canary")
                .build())
        .build();
  }

  private static DynamicMessage.Builder node(Descriptor type, String name, String secret) {
    return DynamicMessage.newBuilder(type)
        .setField(type.findFieldByName("name"), name)
        .setField(type.findFieldByName("secret"), secret);
  }

  /** A tree: {@code Node { string name; string secret; Node child; repeated Node children; }}. */
  private static Descriptor nodeType() throws Exception {
    DescriptorProto node =
        DescriptorProto.newBuilder()
            .setName("Node")
            .addField(text("name", 1))
            .addField(
                text("secret", 2)
                    .setOptions(FieldOptions.newBuilder().setExtension(CsiProto.csiSecret, true)))
            .addField(child("child", 3, FieldDescriptorProto.Label.LABEL_OPTIONAL))
            .addField(child("children", 4, FieldDescriptorProto.Label.LABEL_REPEATED))
            .build();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("tree.proto")
            .setSyntax("proto3")
            .addMessageType(node)
            .build();
    return FileDescriptor.buildFrom(file, new FileDescriptor[0]).findMessageTypeByName("Node");
  }

  private static FieldDescriptorProto.Builder text(String name, int number) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
        .setType(FieldDescriptorProto.Type.TYPE_STRING);
  }

  private static FieldDescriptorProto.Builder child(
      String name, int number, FieldDescriptorProto.Label label) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setLabel(label)
        .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
        .setTypeName(".Node");
  }
}
