package dev.csijava.core.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeDataTest {
  private static final KubeletPaths PATHS = KubeletPaths.of("hostpath.csi.k8s.io");
  private static final String HANDLE = "f1d2c3b4-5a69-11ef-8c2e-0242ac110002";
  private static final String PV = "pvc-0b6f8f6e-3a51-4b0c-9d7e-5a8c2f1d4e90";

  @Test
  void stagingFileIsWrittenAsKubeletDoes() {
    assertThat(VolumeData.staged(PATHS, HANDLE).toJson())
        .isEqualTo(
            "{\"driverName\":\"hostpath.csi.k8s.io\","
                + "\"volumeHandle\":\"f1d2c3b4-5a69-11ef-8c2e-0242ac110002\"}\n");
  }

  @Test
  void publishFileIsWrittenAsKubeletDoes() {
    assertThat(VolumeData.published(PATHS, PV, HANDLE, "worker-1", false).toJson())
        .isEqualTo(
            "{\"attachmentID\":"
                + "\"csi-db06b3aa7ac3d36e457ecc3e18f1f2614fb65117dc7b2b574ce9a03d9d388631\","
                + "\"driverName\":\"hostpath.csi.k8s.io\","
                + "\"nodeName\":\"worker-1\","
                + "\"specVolID\":\"pvc-0b6f8f6e-3a51-4b0c-9d7e-5a8c2f1d4e90\","
                + "\"volumeHandle\":\"f1d2c3b4-5a69-11ef-8c2e-0242ac110002\","
                + "\"volumeLifecycleMode\":\"Persistent\"}\n");
  }

  @Test
  void blockFileHasNoLifecycleMode() {
    VolumeData block = VolumeData.block(PATHS, PV, HANDLE, "worker-1");

    assertThat(block.toJson()).doesNotContain("volumeLifecycleMode").contains("attachmentID");
    assertThat(block.isEphemeral()).isFalse();
  }

  @Test
  void seLinuxLabelIsAddedInOrder() {
    assertThat(VolumeData.staged(PATHS, "v").withSeLinuxMountContext("system_u:c0,c1").toJson())
        .isEqualTo(
            "{\"driverName\":\"hostpath.csi.k8s.io\","
                + "\"seLinuxMountContext\":\"system_u:c0,c1\",\"volumeHandle\":\"v\"}\n");
  }

  @Test
  void specialCharactersAreEscapedAsGoDoes() {
    String handle = "<a>&\"\\\b\f\n\r\t\u0001\u001f/\u007fä\uD83D\uDCBE\u2028\u2029'";

    VolumeData data = VolumeData.staged(PATHS, handle);

    assertThat(data.toJson())
        .endsWith(
            ",\"volumeHandle\":\"\\u003ca\\u003e\\u0026\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f/"
                + "\u007fä\uD83D\uDCBE\\u2028\\u2029'\"}\n");
    assertThat(VolumeData.parse(data.toJson())).isEqualTo(data).hasSameHashCodeAs(data);
  }

  @Test
  void fileIsReadBackOnAnyFileSystem() throws IOException {
    try (FileSystem jimfs = Jimfs.newFileSystem(Configuration.unix())) {
      KubeletPaths paths = KubeletPaths.of(jimfs.getPath("/k"), "a.b");
      Path file = paths.publishData("uid", "scratch");
      Files.createDirectories(file.resolveSibling("."));

      VolumeData.published(paths, "scratch", "csi-1", "worker-1", true).write(file);
      VolumeData read = VolumeData.read(file);

      assertThat(Files.readString(file)).endsWith("\"volumeLifecycleMode\":\"Ephemeral\"}\n");
      assertThat(read.driverName()).isEqualTo("a.b");
      assertThat(read.volumeHandle()).isEqualTo("csi-1");
      assertThat(read.volumeName()).contains("scratch");
      assertThat(read.nodeName()).contains("worker-1");
      assertThat(read.attachmentId()).contains(paths.attachmentName("csi-1", "worker-1"));
      assertThat(read.isEphemeral()).isTrue();
      assertThat(read.seLinuxMountContext()).isEmpty();
    }
  }

  @Test
  void unknownKeysAndAnyOrderAreRead() {
    VolumeData read =
        VolumeData.parse(
            " { \"volumeHandle\" : \"v\",\n \"new\": {\"a\": [1, null]}, \"n\": 1,"
                + " \"driverName\": \"d\", \"seLinuxMountContext\": \"\" } \n");

    assertThat(read.driverName()).isEqualTo("d");
    assertThat(read.volumeHandle()).isEqualTo("v");
    assertThat(read.volumeName()).isEmpty();
    assertThat(read.seLinuxMountContext()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                                       | this is not a JSON object",
        "null                                     | this is not a JSON object",
        "[]                                       | this is not a JSON object",
        "{\"driverName\":\"d\",\"volumeHan        | this is not a JSON object",
        "{\"driverName\":\"d\",}x}                | this is not well-formed JSON",
        "{\"driverName\":\"d\",\"volumeHandle\":1}| the value of \"volumeHandle\" is not a string",
        "{\"driverName\":\"d\"}                   | \"volumeHandle\" is missing",
        "{\"driverName\":\"\",\"volumeHandle\":\"v\"}| \"driverName\" is missing",
      })
  void malformedContentIsRefused(String json, String sentence) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VolumeData.parse(json))
        .withMessage(sentence);
  }

  @Test
  void unreadableFileIsNamed() throws IOException {
    try (FileSystem jimfs = Jimfs.newFileSystem(Configuration.unix())) {
      Path file = jimfs.getPath("/vol_data.json");
      assertThatThrownBy(() -> VolumeData.read(file)).isInstanceOf(NoSuchFileException.class);

      Files.writeString(file, "");
      assertThatThrownBy(() -> VolumeData.read(file))
          .isInstanceOf(IOException.class)
          .hasMessage("/vol_data.json is not volume data of kubelet: this is not a JSON object");

      Files.writeString(file, "{" + " ".repeat(64 * 1024) + "}");
      assertThatThrownBy(() -> VolumeData.read(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("larger than 65536 bytes");
    }
  }
}
