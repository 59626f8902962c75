package dev.csijava.testkit.fake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Lets the kit kill and restart a driver in this process by commands: each makes a file and waits
 * until a thread here has seen it.
 */
final class RestartScript implements AutoCloseable {
  private final Path kill;
  private final Path restart;
  private final Path script;
  private final Thread watcher;
  private volatile boolean ended;

  RestartScript(FakeDriver driver, Path directory, boolean forgets) throws IOException {
    kill = directory.resolve("kill");
    restart = directory.resolve("restart");
    script =
        Files.writeString(
            directory.resolve("ask.sh"), "touch \"$1\"; while test -e \"$1\"; do sleep 0.02; done");
    watcher = new Thread(() -> watch(driver, forgets), "fake-restarts");
    watcher.setDaemon(true);
    watcher.start();
  }

  List<String> killCommand() {
    return List.of("sh", script.toString(), kill.toString());
  }

  List<String> restartCommand() {
    return List.of("sh", script.toString(), restart.toString());
  }

  private void watch(FakeDriver driver, boolean forgets) {
    try {
      while (!ended) {
        if (Files.exists(kill)) {
          driver.kill();
          Files.delete(kill);
        }
        if (Files.exists(restart)) {
          driver.restart();
          if (forgets) {
            driver.forget();
          }
          Files.delete(restart);
        }
        Thread.sleep(5);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    ended = true;
    watcher.interrupt();
    try {
      watcher.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Files.deleteIfExists(script);
    Files.deleteIfExists(kill);
    Files.deleteIfExists(restart);
  }
}
