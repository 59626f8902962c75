package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.Mode;
import dev.csijava.core.SpecVersion;
import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.settings.AttachSettings;
import dev.csijava.hostpath.settings.FeatureSettings;
import dev.csijava.hostpath.settings.MetadataSettings;
import dev.csijava.hostpath.settings.ModifySettings;
import dev.csijava.hostpath.testing.Loops;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.testkit.conformance.CaseResult;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The project's own conformance kit against the driver in its modes, with real mounts. */
class ConformanceIT {
  /** Rows that passed in one mode or another. */
  private static final Set<String> PASSED = new HashSet<>();

  private static final Set<Served> RUN = new HashSet<>();

  @TempDir Path directory = Path.of("set by JUnit");

  /** How the driver is started, and what the kit asks it for. */
  enum Served {
    DIRECTORIES,
    DIRECTORIES_WITH_EVERYTHING {
      @Override
      HostpathSettings driver(HostpathSettings settings) {
        return everything(settings);
      }

      @Override
      SettingsBuilder kit(SettingsBuilder kit) {
        return kit.mutableParameters(Map.of("tier", "gold"))
            .attachLimit(true)
            .connectionPerCall(true);
      }
    },
    IMAGES_OF_1_13 {
      @Override
      HostpathSettings driver(HostpathSettings settings) {
        return everything(settings).withServed(Mode.ALL, SpecVersion.V1_13);
      }

      @Override
      SettingsBuilder kit(SettingsBuilder kit) {
        return kit.mutableParameters(Map.of("tier", "gold"))
            .parameters(Map.of("backing", "image"))
            // It grows while mounted also where root may not use reserved blocks, unlike ext4.
            .fsType("xfs")
            .size(304L << 20)
            .expandSize(400L << 20);
      }
    },
    BLOCKS {
      @Override
      HostpathSettings driver(HostpathSettings settings) {
        return everything(settings);
      }

      @Override
      SettingsBuilder kit(SettingsBuilder kit) {
        return kit.mutableParameters(Map.of("tier", "gold")).accessType(Settings.AccessType.BLOCK);
      }
    },
    CONTROLLER_ALONE {
      @Override
      HostpathSettings driver(HostpathSettings settings) {
        return settings.withServed(Mode.CONTROLLER, SpecVersion.V1_12);
      }
    },
    NODE_ALONE {
      @Override
      HostpathSettings driver(HostpathSettings settings) {
        return settings.withServed(Mode.NODE, SpecVersion.V1_12);
      }

      @Override
      SettingsBuilder kit(SettingsBuilder kit) {
        return kit.inlineAttributes(Map.of());
      }
    };

    HostpathSettings driver(HostpathSettings settings) {
      return settings;
    }

    SettingsBuilder kit(SettingsBuilder kit) {
      return kit;
    }

    static HostpathSettings everything(HostpathSettings settings) {
      FeatureSettings defaults = FeatureSettings.DEFAULTS;
      return settings
          .withAttach(new AttachSettings(true, 24, 0))
          .withFeatures(
              new FeatureSettings(
                  defaults.inlineOnly(),
                  defaults.topology(),
                  defaults.listSnapshots(),
                  defaults.expansion(),
                  new ModifySettings(true, Optional.of(Set.of("tier"))),
                  MetadataSettings.DEFAULTS));
    }
  }

  @ParameterizedTest
  @EnumSource
  void passes(Served served) throws IOException {
    assumeTrue(ServedDriver.canMount(), "bind mounts need root");
    Path root = directory.toRealPath();
    HostpathSettings settings =
        served.driver(
            HostpathSettings.of(
                "hostpath.csi.k8s.io",
                "1.0.0",
                "node-1",
                root.resolve("state"),
                root.resolve("run")));
    try (HostpathDriver driver = HostpathDriver.open(settings);
        CsiServer server =
            CsiServer.forDriver(driver.driver())
                .endpoint(CsiEndpoint.unix(root.resolve("csi.sock")))
                .start()) {
      RunReport report = check(served, server.endpoint().toString());
      assertThat(failures(report)).as(report.closingLine()).isEmpty();
      assertThat(report.leftovers()).isEmpty();
      assertThat(report.clean()).as(report.closingLine()).isTrue();
      report.rows().stream()
          .filter(row -> row.verdict() == Verdict.PASSED)
          .forEach(row -> PASSED.add(row.requirement().id()));
      RUN.add(served);
    }
    nothingIsLeft(root);
  }

  private RunReport check(Served served, String endpoint) throws IOException {
    SettingsBuilder kit =
        Settings.forEndpoint(endpoint)
            .targetDirectory(directory.resolve("targets"))
            .stagingDirectory(directory.resolve("staging"))
            .size(16L << 20)
            .expandSize(32L << 20)
            .repetitions(3);
    try (Session session = Session.open(served.kit(kit).build())) {
      return new ConformanceRun(session, Catalogue.cases(), new Silent()).run();
    }
  }

  private static void nothingIsLeft(Path root) throws IOException {
    assertThat(MountTable.read().below(root)).as("mounts").isEmpty();
    assertThat(Loops.below(root)).as("loop devices").isEmpty();
    for (String kind : List.of("volumes", "snapshots", "groups", "pending")) {
      try (Stream<Path> entries = Files.list(root.resolve("state").resolve(kind))) {
        assertThat(entries).as(kind).isEmpty();
      }
    }
  }

  /** What the kit can prove of this driver, over its modes taken together. */
  @AfterAll
  static void mostRowsWereProved() {
    if (RUN.size() == Served.values().length) {
      assertThat(PASSED).hasSizeGreaterThan(400);
    }
  }

  private static List<String> failures(RunReport report) {
    return report.rows().stream()
        .filter(row -> row.verdict() == Verdict.FAILED)
        .flatMap(row -> row.results().stream())
        .filter(result -> result.verdict() == Verdict.FAILED)
        .map(ConformanceIT::text)
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

  private static final class Silent implements RunListener {
    @Override
    public void started(Session session, int cases) {}

    @Override
    public void finished(CaseResult result) {}
  }
}
