package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.testkit.fake.FakeDriver;
import dev.csijava.testkit.fake.RecordedCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A driver that appends ids to a directory and removes what it finds there is what the kit is there
 * to find. It must not cost the host anything, nor whoever has volumes on that driver.
 */
class OddIdsTest {
  private static final List<Path> ROOTS =
      List.of(Path.of("/data"), Path.of("/var/data"), Path.of("/var/lib/driver/data"));

  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void idsOfDeletionsLeadToNothing() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start();
        Session session =
            Session.open(
                Settings.forEndpoint(driver.endpoint())
                    .targetDirectory(directory.resolve("targets"))
                    .stagingDirectory(directory.resolve("staging"))
                    .build())) {
      Catalogue.cases().stream()
          .filter(one -> Set.of("CTRL-DELETE-003", "delete-snapshot").contains(one.id()))
          .forEach(session::run);
      Set<String> ids =
          Stream.concat(
                  driver.calls().of("DeleteVolume").stream().map(OddIdsTest::volume),
                  driver.calls().of("DeleteSnapshot").stream().map(OddIdsTest::snapshot))
              .collect(Collectors.toSet());
      assertThat(ids).hasSizeGreaterThan(5).allSatisfy(OddIdsTest::leadsToNothing);
    }
  }

  @Test
  void hostileIdsLeadToNothing() {
    assertThat(HostileText.VALUES)
        .filteredOn(id -> !id.isEmpty())
        .allSatisfy(OddIdsTest::leadsToNothing);
  }

  private static String volume(RecordedCall call) {
    return call.request(DeleteVolumeRequest.class).getVolumeId();
  }

  private static String snapshot(RecordedCall call) {
    return call.request(DeleteSnapshotRequest.class).getSnapshotId();
  }

  private static void leadsToNothing(String id) {
    for (Path root : ROOTS) {
      Path led;
      try {
        led = Path.of(root + "/" + id).normalize();
      } catch (InvalidPathException e) {
        continue; // leads nowhere at all
      }
      assertThat(root.startsWith(led)).as("%s is %s or above it", led, root).isFalse();
      if (id.length() < 250) {
        assertThat(Files.notExists(led)).as("nothing at %s", led).isTrue();
      }
    }
  }
}
