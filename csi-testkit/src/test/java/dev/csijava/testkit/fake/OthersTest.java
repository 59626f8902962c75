package dev.csijava.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeCapability.MountVolume;
import dev.csijava.testkit.conformance.Case;
import dev.csijava.testkit.conformance.CaseResult;
import dev.csijava.testkit.conformance.Catalogue;
import dev.csijava.testkit.conformance.Session;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.conformance.SettingsBuilder;
import dev.csijava.testkit.conformance.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a driver answers, the kit leaves alone what others have on it. */
class OthersTest {
  private static final String THEIRS = "volume-of-somebody";

  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void aVolumeThatWasThereBeforeIsNotTouched() throws IOException {
    Deviation wrong =
        Deviations.both(
            theirs(),
            Deviations.reply(
                "CreateVolume",
                CreateVolumeResponse.class,
                r -> {
                  CreateVolumeResponse.Builder changed = r.toBuilder();
                  changed.getVolumeBuilder().setVolumeId(THEIRS);
                  return changed.build();
                }));
    Set<String> cases =
        Set.of(
            "create-volume",
            "delete-volume-twice",
            "controller-expand",
            "NODE-PUB-001",
            "restore-snapshot",
            "engine-model");
    try (FakeDriver driver = FakeDriver.builder().deviation(wrong).start();
        Session session = session(driver)) {
      for (Case one : Catalogue.cases()) {
        if (cases.contains(one.id())) {
          CaseResult result = session.run(one);
          assertThat(result.verdict()).as(one.id()).isEqualTo(Verdict.FAILED);
          assertThat(result.leftovers())
              .as(one.id())
              .contains(
                  "CreateVolume answered "
                      + THEIRS
                      + ", which was there before the run;"
                      + " it was left alone");
        }
      }
      for (String rpc :
          List.of(
              "DeleteVolume",
              "ControllerExpandVolume",
              "ControllerPublishVolume",
              "NodeStageVolume",
              "NodePublishVolume")) {
        assertThat(driver.calls().of(rpc))
            .as(rpc)
            .noneMatch(call -> call.request().toString().contains(THEIRS));
      }
    }
  }

  @Test
  void aSnapshotThatWasThereBeforeIsNotDeleted() throws IOException {
    Deviation wrong =
        Deviations.reply(
            "CreateSnapshot",
            CreateSnapshotResponse.class,
            r -> {
              CreateSnapshotResponse.Builder changed = r.toBuilder();
              changed.getSnapshotBuilder().setSnapshotId("snap-of-somebody");
              return changed.build();
            });
    Deviation lists =
        Deviations.reply(
            "ListSnapshots",
            dev.csijava.spec.v1.ListSnapshotsResponse.class,
            r -> {
              var changed = r.toBuilder();
              changed.addEntriesBuilder().getSnapshotBuilder().setSnapshotId("snap-of-somebody");
              return changed.build();
            });
    try (FakeDriver driver = FakeDriver.builder().deviation(Deviations.both(wrong, lists)).start();
        Session session = session(driver)) {
      for (Case one : Catalogue.cases()) {
        if (Set.of("create-snapshot", "delete-snapshot").contains(one.id())) {
          assertThat(session.run(one).verdict()).isEqualTo(Verdict.FAILED);
        }
      }
      assertThat(driver.calls().of("DeleteSnapshot"))
          .noneMatch(call -> call.request().toString().contains("of-somebody"));
    }
  }

  @Test
  void aVolumeThatWasLentIsNotTakenFromWhoeverUsesIt() throws IOException {
    Deviation attached =
        new Deviation() {
          @Override
          public void before(FakeState state, String rpc, com.google.protobuf.Message request) {
            state.volumes.computeIfAbsent(
                THEIRS,
                id -> {
                  FakeVolume volume = volume(id);
                  volume.attachments.put(
                      "fake-node-1",
                      new FakeVolume.Attachment(
                          volume.request.getVolumeCapabilities(0), false, Map.of()));
                  return volume;
                });
          }
        };
    try (FakeDriver driver = FakeDriver.builder().deviation(attached).start();
        Session session = Session.open(about(driver).existingVolumeId(THEIRS).build())) {
      for (Case one : Catalogue.cases()) {
        if (Set.of("GEN-LIFE-004", "engine-callers-kubelet-static").contains(one.id())) {
          assertThat(session.run(one).rows())
              .as(one.id())
              .allSatisfy(
                  row -> {
                    assertThat(row.verdict()).isEqualTo(Verdict.SKIPPED);
                    assertThat(row.reason()).contains("fake-node-1").contains("detach");
                  });
        }
      }
      assertThat(driver.calls().of("ControllerUnpublishVolume")).isEmpty();
    }
  }

  /** Somebody's, from the first call on. */
  private static Deviation theirs() {
    return new Deviation() {
      @Override
      public void before(FakeState state, String rpc, com.google.protobuf.Message request) {
        state.volumes.computeIfAbsent(THEIRS, OthersTest::volume);
      }
    };
  }

  private static FakeVolume volume(String id) {
    CreateVolumeRequest request =
        CreateVolumeRequest.newBuilder()
            .addVolumeCapabilities(
                VolumeCapability.newBuilder()
                    .setMount(MountVolume.getDefaultInstance())
                    .setAccessMode(AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER)))
            .build();
    return new FakeVolume(id, request, Map.of(), List.of(), new BlockMap(), 1L << 30);
  }

  private Session session(FakeDriver driver) {
    return Session.open(about(driver).build());
  }

  private SettingsBuilder about(FakeDriver driver) {
    return Settings.forEndpoint(driver.endpoint())
        .targetDirectory(directory.resolve("targets"))
        .stagingDirectory(directory.resolve("staging"))
        .repetitions(2);
  }
}
