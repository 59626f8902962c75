package dev.csijava.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.testkit.conformance.Catalogue;
import dev.csijava.testkit.conformance.ConformanceRun;
import dev.csijava.testkit.conformance.RowResult;
import dev.csijava.testkit.conformance.RunListener;
import dev.csijava.testkit.conformance.RunReport;
import dev.csijava.testkit.conformance.Session;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.conformance.SettingsBuilder;
import dev.csijava.testkit.conformance.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The kit passes on the driver in memory, whatever it is told to offer, and leaves nothing. What it
 * finds does not depend on the Java machine, so the oldest one takes part of the drivers only.
 */
@ExtendWith(QuietServer.class)
class FakeConformanceTest {
  /** Rows that passed with one driver or another. */
  private static final Set<String> PASSED = new HashSet<>();

  private static final Set<Drivers> RUN = new HashSet<>();

  @TempDir Path directory = Path.of("set by JUnit");

  /** What is offered, and how the kit goes about it. */
  enum Drivers {
    EVERYTHING_OF_1_12,
    EVERYTHING_OF_1_13 {
      @Override
      FakeDriverBuilder driver() {
        return super.driver()
            .version(CsiVersion.V1_13)
            .with(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP)
            .blockMetadata(BlockMetadataType.VARIABLE_LENGTH, 2)
            .zones("zone-1", "zone-2", "zone-3");
      }

      @Override
      SettingsBuilder settings(SettingsBuilder builder) {
        return super.settings(builder).connectionPerCall(true);
      }
    },
    BLOCK_THAT_GROWS_OFFLINE_WITH_SLOW_PINNED_SNAPSHOTS {
      @Override
      FakeDriverBuilder driver() {
        return super.driver()
            .volumeExpansion(PluginCapability.VolumeExpansion.Type.OFFLINE)
            .snapshotProcessing(Duration.ofMillis(300))
            .snapshotsPinned(true)
            .accessTypes(false, true)
            .maxVolumesPerNode(24);
      }

      @Override
      SettingsBuilder settings(SettingsBuilder builder) {
        return super.settings(builder).accessType(Settings.AccessType.BLOCK).attachLimit(true);
      }
    },
    VOLUMES_ONLY {
      @Override
      FakeDriverBuilder driver() {
        FakeDriverBuilder builder =
            super.driver()
                .without(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS)
                .without(PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE)
                .without(PluginCapability.Service.Type.SNAPSHOT_METADATA_SERVICE)
                .without(
                    GroupControllerServiceCapability.RPC
                        .Type
                        .CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT)
                .volumeExpansion(PluginCapability.VolumeExpansion.Type.UNKNOWN);
        for (ControllerServiceCapability.RPC.Type type :
            ControllerServiceCapability.RPC.Type.values()) {
          if (type != ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME) {
            builder.without(type);
          }
        }
        for (NodeServiceCapability.RPC.Type type : NodeServiceCapability.RPC.Type.values()) {
          builder.without(type);
        }
        return builder;
      }
    },
    NODE_ONLY {
      @Override
      FakeDriverBuilder driver() {
        return super.driver().without(PluginCapability.Service.Type.CONTROLLER_SERVICE);
      }
    },
    CONTROLLER_ONLY {
      @Override
      FakeDriverBuilder driver() {
        return super.driver().nodeService(false);
      }
    };

    FakeDriverBuilder driver() {
      return FakeDriver.builder();
    }

    SettingsBuilder settings(SettingsBuilder builder) {
      return builder;
    }
  }

  static Set<Drivers> driversToRun() {
    return Runtime.version().feature() >= 25
        ? EnumSet.allOf(Drivers.class)
        : EnumSet.of(Drivers.EVERYTHING_OF_1_13, Drivers.VOLUMES_ONLY);
  }

  @ParameterizedTest
  @MethodSource("driversToRun")
  void passes(Drivers drivers) throws IOException {
    try (FakeDriver driver = drivers.driver().start()) {
      SettingsBuilder settings =
          drivers.settings(
              Settings.forEndpoint(driver.endpoint())
                  .targetDirectory(directory.resolve("targets"))
                  .stagingDirectory(directory.resolve("staging"))
                  .mutableParameters(Map.of("iops", "100", "throughput", "7"))
                  .secondNodeId("fake-node-2")
                  .repetitions(3));
      RunReport report;
      try (Session session = Session.open(settings.build())) {
        report = new ConformanceRun(session, Catalogue.cases(), new RunListener() {}).run();
      }
      assertThat(failures(report)).isEmpty();
      assertThat(report.leftovers()).isEmpty();
      assertThat(report.clean()).isTrue();
      assertThat(driver.volumes()).isEmpty();
      assertThat(driver.snapshots()).isEmpty();
      report.rows().stream()
          .filter(row -> row.verdict() == Verdict.PASSED)
          .forEach(row -> PASSED.add(row.requirement().id()));
      RUN.add(drivers);
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  /** The kit promises at least 400 rows; some of them need mounts, which this driver has not. */
  @AfterAll
  static void mostRowsWereProved() {
    if (RUN.size() == Drivers.values().length) {
      assertThat(PASSED).hasSizeGreaterThan(400);
    }
  }

  private static List<String> failures(RunReport report) {
    return report.rows().stream()
        .filter(row -> row.verdict() == Verdict.FAILED)
        .flatMap(row -> row.results().stream())
        .filter(result -> result.verdict() == Verdict.FAILED)
        .map(FakeConformanceTest::text)
        .toList();
  }

  private static String text(RowResult result) {
    return result.caseId()
        + " for "
        + result.row()
        + ": expected "
        + result.expected()
        + ", came "
        + result.came()
        + result.reason()
        + "\n"
        + String.join("\n", result.calls().stream().map(Object::toString).toList());
  }
}
