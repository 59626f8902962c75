package dev.csijava.hostpath.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Unpacks with GNU tar, which wrote the archives and knows all that can be in one: owners, modes,
 * links, holes, special files. It follows no link out of the directory, and compares afterwards.
 */
final class TarUnpacker implements Unpacker {
  private static final int KEPT_WORDS = 300;
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};

  @Override
  public boolean isArchive(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] first = in.readNBytes(GZIP.length);
      if (!java.util.Arrays.equals(first, GZIP)) {
        return false;
      }
    }
    return run(List.of("tar", "--list", "--gzip", "--force-local", "--file", file.toString()))
            .exit()
        == 0;
  }

  @Override
  public void unpack(Path archive, Path to) throws IOException {
    Files.createDirectory(to);
    require(
        tar(
            "--extract",
            archive,
            to,
            "--preserve-permissions",
            "--same-owner",
            "--delay-directory-restore"));
    require(tar("--compare", archive, to));
    require(List.of("sync", "--file-system", "--", to.toString()));
  }

  private static List<String> tar(String what, Path archive, Path directory, String... more) {
    List<String> command =
        new ArrayList<>(List.of("tar", what, "--gzip", "--numeric-owner", "--force-local"));
    command.addAll(List.of(more));
    command.addAll(List.of("--file", archive.toString(), "--directory=" + directory));
    return command;
  }

  private static void require(List<String> command) throws IOException {
    Outcome outcome = run(command);
    if (outcome.exit() != 0) {
      throw new IOException(
          command.getFirst() + " failed with " + outcome.exit() + ": " + outcome.words());
    }
  }

  private record Outcome(int exit, String words) {}

  private static Outcome run(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      byte[] kept = process.getInputStream().readNBytes(KEPT_WORDS);
      process.getInputStream().transferTo(OutputStream.nullOutputStream());
      String words = new String(kept, StandardCharsets.UTF_8).strip().replaceAll("\\p{Cntrl}", " ");
      return new Outcome(process.waitFor(), words);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(command.getFirst() + " was interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
