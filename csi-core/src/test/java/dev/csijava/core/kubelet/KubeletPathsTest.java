package dev.csijava.core.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.csijava.core.CsiException;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeletPathsTest {
  private static final String DRIVER = "hostpath.csi.k8s.io";
  private static final String HANDLE = "f1d2c3b4-5a69-11ef-8c2e-0242ac110002";
  private static final String PV = "pvc-0b6f8f6e-3a51-4b0c-9d7e-5a8c2f1d4e90";
  private static final String POD = "8d4c6a1e-2f7b-4f0e-9b52-0c3a9d1e7f60";
  private static final String K = "/var/lib/kubelet";
  private static final String DEVICES = K + "/plugins/kubernetes.io/csi/volumeDevices/";

  private final KubeletPaths paths = KubeletPaths.of(DRIVER);

  @Test
  void stagingPathIsNamedByTheHashOfTheHandle() {
    String directory =
        K
            + "/plugins/kubernetes.io/csi/hostpath.csi.k8s.io/"
            + "9f90ebb21f2a81b0c09c1e58135ce2095476385d9cc41c4e79cdcd68a50f133b/";

    isPath(paths.stagingPath(HANDLE), directory + "globalmount", 139);
    isPath(paths.stagingData(HANDLE), directory + "vol_data.json", 141);
  }

  @Test
  void publishPathLiesBelowThePod() {
    String directory = K + "/pods/" + POD + "/volumes/kubernetes.io~csi/" + PV;

    isPath(paths.publishPath(POD, PV), directory + "/mount", 131);
    isPath(paths.publishData(POD, PV), directory + "/vol_data.json", 139);
  }

  @Test
  void inlineVolumeIsPublishedUnderItsNameInThePod() {
    isPath(
        paths.publishPath(POD, "scratch"),
        K + "/pods/" + POD + "/volumes/kubernetes.io~csi/scratch/mount",
        98);
  }

  @Test
  void blockVolumesHaveATreeOfTheirOwn() {
    isPath(paths.blockStagingPath(PV), DEVICES + "staging/" + PV, 105);
    isPath(paths.blockPublishPath(POD, PV), DEVICES + "publish/" + PV + "/" + POD, 142);
    isPath(paths.blockGlobalMap(PV), DEVICES + PV + "/dev", 101);
    isPath(paths.blockData(PV), DEVICES + PV + "/data/vol_data.json", 116);
    isPath(
        paths.blockPodMap(POD, PV),
        K + "/pods/" + POD + "/volumeDevices/kubernetes.io~csi/" + PV,
        131);
  }

  @Test
  void attachmentIsNamedByHandleDriverAndNode() {
    assertThat(paths.attachmentName(HANDLE, "worker-1"))
        .isEqualTo("csi-db06b3aa7ac3d36e457ecc3e18f1f2614fb65117dc7b2b574ce9a03d9d388631");
  }

  @Test
  void ephemeralHandleIsMadeFromPodAndVolume() {
    assertThat(KubeletPaths.ephemeralHandle(POD, "scratch"))
        .isEqualTo("csi-c653f1ece72fa3738bd3c995fb9fb087aabc3ec0a19fbf444af690a4f34839cd");
  }

  @ParameterizedTest
  @CsvSource({
    "vol-1, d2e8363faaac7ae76def3b14091d8eb5755f6b92e9531627aeec833a8731cc49",
    "665e490b-d3a7-11f1-8d4c-52a962bdf80a,"
        + " 62cbbb6ca8ab41c5f487dcebe05d49f71f31c455abe62538185a0e1b932d92c7",
    "'', e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "ä/../\uD83D\uDCBE, e227b7d23a454ba15d67807bdb70f511a66c5ac5d4e8a7aba8ed41dd1fd285e7"
  })
  void handleIsHashedInUtf8(String handle, String hash) {
    assertThat(KubeletPaths.volumeHandleHash(handle)).isEqualTo(hash);
  }

  @Test
  void longestDriverNameFitsTheRegistrationSocket() {
    String longest = "a".repeat(63);

    assertThat(paths.registrationSocket())
        .hasToString("/var/lib/kubelet/plugins_registry/hostpath.csi.k8s.io-reg.sock");
    assertThat(KubeletPaths.of(longest).registrationSocket().toString()).hasSize(106);
  }

  @Test
  void everyHandleStaysInsideTheDriversDirectory() {
    Path directory = Path.of(K, "plugins/kubernetes.io/csi", DRIVER);

    for (String handle : List.of("", "..", "/etc/passwd", "../../..", "a\0b", "\uD800", "💾")) {
      Path path = paths.stagingPath(handle);
      assertThat(path.normalize()).isEqualTo(path);
      assertThat(path.startsWith(directory)).isTrue();
      assertThat(path.getNameCount()).isEqualTo(directory.getNameCount() + 2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "/", "a/b", "/etc", "../..", "a\0", "\0"})
  void nameThatIsNoComponentIsRefused(String bad) {
    isInvalid(() -> paths.publishPath(bad, PV));
    isInvalid(() -> paths.publishPath(POD, bad));
    isInvalid(() -> paths.publishData(bad, PV));
    isInvalid(() -> paths.publishData(POD, bad));
    isInvalid(() -> paths.blockStagingPath(bad));
    isInvalid(() -> paths.blockPublishPath(bad, PV));
    isInvalid(() -> paths.blockPublishPath(POD, bad));
    isInvalid(() -> paths.blockGlobalMap(bad));
    isInvalid(() -> paths.blockData(bad));
    isInvalid(() -> paths.blockPodMap(bad, PV));
    isInvalid(() -> paths.blockPodMap(POD, bad));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KubeletPaths.of(bad))
        .withMessageStartingWith("the driver's name ");
  }

  @Test
  void otherRootAndOtherFileSystemAreKept() throws IOException {
    try (FileSystem jimfs = Jimfs.newFileSystem(Configuration.unix())) {
      KubeletPaths other = KubeletPaths.of(jimfs.getPath("/data/./kubelet/"), "a.b");

      assertThat(other.root()).isEqualTo(jimfs.getPath("/data/kubelet"));
      assertThat(other.stagingPath("vol-1"))
          .isEqualTo(
              jimfs.getPath(
                  "/data/kubelet/plugins/kubernetes.io/csi/a.b",
                  KubeletPaths.volumeHandleHash("vol-1"),
                  "globalmount"));
      isInvalid(() -> other.publishPath("..", PV));
    }
  }

  @Test
  void relativeRootIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KubeletPaths.of(Path.of("kubelet"), DRIVER))
        .withMessage("kubelet's root directory must be absolute, but is \"kubelet\"");
  }

  private static void isPath(Path path, String expected, int length) {
    assertThat(path).hasToString(expected);
    assertThat(path.toString()).hasSize(length);
  }

  private static void isInvalid(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CsiException.class, e -> assertThat(e.code()).isEqualTo(Status.Code.INVALID_ARGUMENT));
  }
}
