package dev.csijava.core.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.csijava.core.CsiException;
import io.grpc.Status;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KubernetesKeysTest {
  private static final String CS = "csi.storage.k8s.io/";

  @Test
  void keysOfKubernetesAreToldFromTheDrivers() {
    assertThat(KubernetesKeys.isReserved(CS + "pvc/name")).isTrue();
    assertThat(KubernetesKeys.isReserved(CS + "some-future-key")).isTrue();
    assertThat(KubernetesKeys.isReserved("storage.kubernetes.io/csiProvisionerIdentity")).isTrue();
    assertThat(KubernetesKeys.isReserved("kind")).isFalse();
    assertThat(KubernetesKeys.isReserved("csi.storage.k8s.io")).isFalse();
    assertThat(KubernetesKeys.isReserved("")).isFalse();
  }

  @Test
  void driversOwnParametersAreLeft() {
    assertThat(KubernetesKeys.withoutReserved(Map.of("kind", "fast", CS + "fstype", "xfs")))
        .containsExactly(Map.entry("kind", "fast"));
  }

  @Test
  void podIsReadFromTheVolumeContext() {
    Map<String, String> context =
        Map.of(
            CS + "pod.name",
            "web-0",
            CS + "pod.namespace",
            "shop",
            CS + "pod.uid",
            "8d4c6a1e",
            CS + "serviceAccount.name",
            "seller",
            CS + "ephemeral",
            "true",
            "kind",
            "fast");

    assertThat(PodInfo.of(context))
        .contains(new PodInfo("web-0", "shop", "8d4c6a1e", "seller", true));
    assertThat(PodInfo.of(Map.of("kind", "fast"))).isEmpty();
  }

  @Test
  void ephemeralIsSeenWithoutAPod() {
    assertThat(PodInfo.isEphemeral(Map.of(CS + "ephemeral", "true"))).isTrue();
    assertThat(PodInfo.isEphemeral(Map.of(CS + "ephemeral", "false"))).isFalse();
    assertThat(PodInfo.isEphemeral(Map.of())).isFalse();
  }

  @Test
  void halfAPodIsRefused() {
    assertThatExceptionOfType(CsiException.class)
        .isThrownBy(() -> PodInfo.of(Map.of(CS + "pod.name", "web-0", CS + "pod.uid", "1")))
        .withMessage(
            "the key csi.storage.k8s.io/pod.namespace is missing or empty, but others of its kind"
                + " are there")
        .satisfies(e -> assertThat(e.code()).isEqualTo(Status.Code.INVALID_ARGUMENT));
  }

  @Test
  void claimIsReadFromTheParameters() {
    assertThat(
            ClaimInfo.of(
                Map.of(CS + "pvc/name", "data", CS + "pvc/namespace", "shop", CS + "pv/name", "p")))
        .contains(new ClaimInfo("data", "shop", "p"));
    assertThat(ClaimInfo.of(Map.of())).isEmpty();
  }

  @Test
  void snapshotsAndGroupSnapshotsAreToldApart() {
    Map<String, String> single =
        Map.of(
            CS + "volumesnapshot/name", "s",
            CS + "volumesnapshot/namespace", "shop",
            CS + "volumesnapshotcontent/name", "snapcontent-1");
    Map<String, String> group =
        Map.of(
            CS + "volumegroupsnapshot/name", "g",
            CS + "volumegroupsnapshot/namespace", "shop",
            CS + "volumegroupsnapshotcontent/name", "groupcontent-1");

    assertThat(SnapshotInfo.ofSnapshot(single))
        .contains(new SnapshotInfo("s", "shop", "snapcontent-1"));
    assertThat(SnapshotInfo.ofGroupSnapshot(single)).isEmpty();
    assertThat(SnapshotInfo.ofGroupSnapshot(group))
        .contains(new SnapshotInfo("g", "shop", "groupcontent-1"));
    assertThat(SnapshotInfo.ofSnapshot(group)).isEmpty();
  }
}
