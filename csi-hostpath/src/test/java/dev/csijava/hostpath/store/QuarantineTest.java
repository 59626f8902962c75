package dev.csijava.hostpath.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.GroupDetails;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.SnapshotDetails;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.TestState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A record that can't be used hurts its own object only, whatever kind it is of (rule K7). */
class QuarantineTest {
  private final TestState test = new TestState();
  private final Logger logger = Logger.getLogger(Startup.class.getName());
  private final List<String> log = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          log.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
  }

  @AfterEach
  void close() {
    logger.removeHandler(handler);
    test.close();
  }

  /** What happens to a record. */
  enum Damage {
    EMPTY,
    HALF,
    WITHOUT_ITS_END,
    NULS,
    GARBAGE,
    UNKNOWN_FIELD,
    NEWER,
    OF_ANOTHER_KIND,
    MISSING,
    A_DIRECTORY,
    A_LINK,
    FOLDER_IS_A_FILE
  }

  static Stream<Arguments> all() {
    return Stream.of(ObjectKind.values())
        .flatMap(kind -> Stream.of(Damage.values()).map(damage -> Arguments.of(kind, damage)));
  }

  private ObjectStore volumes() {
    return test.state().volumes();
  }

  private Record volume(String name) {
    return volumes()
        .create(
            draft(name).setVolume(VolumeDetails.getDefaultInstance()).build(),
            Files::createDirectory);
  }

  private Record snapshot(String name) {
    return test.state()
        .snapshots()
        .create(
            draft(name).setSnapshot(SnapshotDetails.newBuilder().setSourceVolumeId("v")).build(),
            Files::createDirectory);
  }

  private Record group(String name) {
    Record member =
        draft("").setSnapshot(SnapshotDetails.newBuilder().setSourceVolumeId("v")).build();
    return test.state()
        .groups()
        .create(
            Record.newBuilder().setName(name).setGroup(GroupDetails.getDefaultInstance()).build(),
            List.of(
                new GroupStore.Member(member, Files::createDirectory),
                new GroupStore.Member(member, Files::createDirectory)));
  }

  private static Record.Builder draft(String name) {
    return Record.newBuilder().setName(name).setSizeBytes(1).setBacking(Backing.DIRECTORY);
  }

  private Record make(ObjectKind kind, String name) {
    return switch (kind) {
      case VOLUME -> volume(name);
      case SNAPSHOT -> snapshot(name);
      case GROUP -> group(name);
    };
  }

  private List<Record> served() {
    List<Record> all = new ArrayList<>(volumes().after(null).toList());
    all.addAll(test.state().snapshots().after(null).toList());
    Stream.of("good group", "bad group")
        .flatMap(name -> test.state().groups().byName(name).stream())
        .forEach(all::add);
    return all;
  }

  @ParameterizedTest
  @MethodSource("all")
  @DisplayName("a bad record is quarantined with a line in the log, and the rest served (B062)")
  void aBadRecordHurtsItsOwnObjectOnly(ObjectKind kind, Damage damage) throws IOException {
    make(ObjectKind.VOLUME, "good volume");
    make(ObjectKind.SNAPSHOT, "good snapshot");
    make(ObjectKind.GROUP, "good group");
    Record bad = make(kind, kind == ObjectKind.GROUP ? "bad group" : "bad");
    List<Record> rest = new ArrayList<>(served());
    rest.remove(bad);
    Path folder = test.root().resolve(kind.folder()).resolve(bad.getFolder());
    damage(folder, damage);
    List<String> tree = tree(folder);

    for (int start = 0; start < 2; start++) {
      log.clear();
      test.restart();

      assertThat(served()).containsExactlyInAnyOrderElementsOf(rest);
      assertThat(test.state().quarantined())
          .singleElement()
          .satisfies(found -> assertThat(found.folder()).isEqualTo(folder));
      assertThat(log)
          .filteredOn(line -> line.startsWith("WARNING"))
          .singleElement()
          .asString()
          .contains(folder.toString());
      assertThat(tree(folder)).as("nothing of it is touched").isEqualTo(tree);
    }
    Record next = make(kind, kind == ObjectKind.GROUP ? "bad group" : "bad");
    assertThat(next.getId()).isNotEqualTo(bad.getId());
  }

  private static void damage(Path folder, Damage damage) throws IOException {
    Path file = folder.resolve("record");
    String text = Files.readString(file);
    switch (damage) {
      case EMPTY -> Files.write(file, new byte[0]);
      case HALF -> Files.writeString(file, text.substring(0, text.length() / 2));
      case WITHOUT_ITS_END -> Files.writeString(file, text.substring(0, text.length() - 1));
      case NULS -> Files.write(file, new byte[text.length()]);
      case GARBAGE -> Files.write(file, new byte[] {(byte) 0xff, 0, 17});
      case UNKNOWN_FIELD -> replace(file, "schema_version: 1", "schema_version: 1\nx: true");
      case NEWER -> replace(file, "schema_version: 1", "schema_version: 2");
      case OF_ANOTHER_KIND ->
          Files.writeString(
              file, text.replaceAll("(?m)^(volume|snapshot|group) \\{", "file_system {"));
      case MISSING -> Files.delete(file);
      case A_DIRECTORY -> {
        Files.delete(file);
        Files.createDirectory(file);
      }
      case A_LINK -> {
        Files.move(file, folder.resolve("elsewhere"));
        Files.createSymbolicLink(file, folder.resolve("elsewhere"));
      }
      case FOLDER_IS_A_FILE -> {
        Files.move(folder, folder.resolveSibling("../away"));
        Files.write(folder, "not a folder".getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static void replace(Path file, String old, String fresh) throws IOException {
    String text = Files.readString(file);
    assertThat(text).contains(old);
    Files.writeString(file, text.replace(old, fresh));
  }

  private static List<String> tree(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      List<String> found = new ArrayList<>();
      for (Path path : all.sorted().toList()) {
        found.add(
            path
                + " "
                + (Files.isRegularFile(path) ? Arrays.toString(Files.readAllBytes(path)) : ""));
      }
      return found;
    }
  }
}
