package dev.csijava.examples.inline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that change together. */
class AtomicFilesTest {
  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void theFilesAreThereByTheirNames() throws IOException {
    assertThat(new AtomicFiles(directory).write(Map.of("name", "web", "uid", "1"))).isTrue();

    assertThat(directory.resolve("name")).hasContent("web");
    assertThat(directory.resolve("uid")).hasContent("1");
  }

  @Test
  void equalContentsChangeNothing() throws IOException {
    AtomicFiles files = new AtomicFiles(directory);
    files.write(Map.of("name", "web"));
    Path version = directory.resolve("..data").toRealPath();

    assertThat(files.write(Map.of("name", "web"))).isFalse();

    assertThat(directory.resolve("..data").toRealPath()).isEqualTo(version);
  }

  /** Killed after the switch to the first version, before the names were made. */
  @Test
  void whatACrashLeftUndoneIsDoneWithEqualContentsToo() throws IOException {
    AtomicFiles files = new AtomicFiles(directory);
    files.write(Map.of("name", "web", "uid", "1"));
    Files.delete(directory.resolve("uid"));
    Files.createDirectory(directory.resolve("..version-before"));

    assertThat(files.write(Map.of("name", "web", "uid", "1"))).isFalse();

    assertThat(directory.resolve("uid")).hasContent("1");
    assertThat(directory.resolve("..version-before")).doesNotExist();
  }

  @Test
  void otherNamesReplaceTheOldOnesAndOldVersionsGo() throws IOException {
    AtomicFiles files = new AtomicFiles(directory);
    files.write(Map.of("name", "web", "token", "old"));
    Files.createDirectory(directory.resolve("..version-of-a-crash"));

    files.write(Map.of("name", "web2"));

    assertThat(directory.resolve("name")).hasContent("web2");
    assertThat(names()).hasSize(3).contains("..data", "name");
  }

  @Test
  void afterClearingNothingIsLeft() throws IOException {
    AtomicFiles files = new AtomicFiles(directory);
    files.write(Map.of("name", "web", "token", "old"));

    files.clear();

    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aReaderNeverSeesHalfOfAnUpdate() throws Exception {
    AtomicFiles files = new AtomicFiles(directory);
    files.write(Map.of("a", "0", "b", "0"));
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<String> torn = new AtomicReference<>("");
    Thread reader =
        new Thread(
            () -> {
              while (!stop.get()) {
                try {
                  Path version = directory.resolve("..data").toRealPath();
                  String a = Files.readString(version.resolve("a"));
                  String b = Files.readString(version.resolve("b"));
                  if (!a.equals(b)) {
                    torn.set(a + " and " + b);
                  }
                } catch (IOException e) {
                  // The version was removed meanwhile; the next look finds the new one.
                }
              }
            });
    reader.start();
    try {
      for (int i = 1; i <= 50; i++) {
        files.write(Map.of("a", "" + i, "b", "" + i));
      }
    } finally {
      stop.set(true);
      reader.join();
    }

    assertThat(torn).hasValue("");
  }

  private Set<String> names() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> path.getFileName().toString()).collect(Collectors.toSet());
    }
  }
}
