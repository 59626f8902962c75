package dev.csijava.hostpath.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.state.Publication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the run directory knows of the targets of a volume. */
class PublicationsTest {
  private static final Publication ONE_AT_A = at("one", "/a");
  private static final Publication ONE_AT_B = at("one", "/b");
  private static final Publication TWO_AT_C = at("two", "/c");

  @TempDir private Path run;

  private static Publication at(String volume, String target) {
    return Publication.newBuilder().setVolumeId(volume).setTargetPath(target).build();
  }

  @Test
  void aVolumeHasItsOwnTargetsAlsoAfterARestart() throws Exception {
    Publications before = Publications.open(run);
    before.put(ONE_AT_A);
    before.put(TWO_AT_C);
    before.put(ONE_AT_B);
    for (Publications publications : new Publications[] {before, Publications.open(run)}) {
      assertThat(publications.of("one")).containsExactlyInAnyOrder(ONE_AT_A, ONE_AT_B);
      assertThat(publications.of("two")).containsExactly(TWO_AT_C);
      assertThat(publications.of("three")).isEmpty();
    }
  }

  @Test
  void whatIsForgottenIsForgottenOfItsVolumeOnly() throws Exception {
    Publications publications = Publications.open(run);
    publications.put(ONE_AT_A);
    publications.put(ONE_AT_B);
    publications.put(TWO_AT_C);
    publications.remove("/a");
    publications.remove("/nowhere");
    publications.remove("/c");
    assertThat(publications.of("one")).containsExactly(ONE_AT_B);
    assertThat(publications.of("two")).isEmpty();
    assertThat(Publications.open(run).of("one")).containsExactly(ONE_AT_B);
    assertThat(Publications.open(run).of("two")).isEmpty();
  }

  @Test
  void atOneTargetIsTheLastVolumeThatCame() throws Exception {
    Publications publications = Publications.open(run);
    publications.put(ONE_AT_A);
    publications.put(at("two", "/a"));
    assertThat(publications.of("one")).isEmpty();
    assertThat(publications.of("two")).containsExactly(at("two", "/a"));
    Publication readonly = at("two", "/a").toBuilder().setReadonly(true).build();
    publications.put(readonly);
    assertThat(publications.of("two")).containsExactly(readonly);
  }

  @Test
  @DisplayName("K7: what a newer driver wrote is read as far as it is known")
  void anEntryOfANewerDriverCounts() throws Exception {
    Publications.open(run).put(ONE_AT_A);
    Path file = onlyFile();
    Files.writeString(file, Files.readString(file) + "since_then: \"x\" more { deep: 1 }\n");

    assertThat(Publications.open(run).of("one")).containsExactly(ONE_AT_A);
    assertThat(file).exists();
  }

  @Test
  @DisplayName("K7: what can't be read nor dropped does not keep the driver from starting")
  void whatIsNoEntryIsDroppedOrLeft() throws Exception {
    Publications.open(run).put(ONE_AT_A);
    Path folder = run.resolve("publications");
    Files.createDirectories(folder.resolve("somebodys/own"));
    Path garbage = Files.writeString(folder.resolve("garbage"), "volume_id: {");

    assertThat(Publications.open(run).of("one")).containsExactly(ONE_AT_A);
    assertThat(garbage).doesNotExist();
    assertThat(folder.resolve("somebodys/own")).exists();
  }

  private Path onlyFile() throws IOException {
    try (Stream<Path> files = Files.list(run.resolve("publications"))) {
      return files.findFirst().orElseThrow();
    }
  }
}
