package dev.csijava.hostpath.copy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Copies with cp(1), which knows what pure Java can't see: extended attributes and ACLs, hard links
 * by inode, device nodes, holes, and reflinks where the file system has them. Then sync(1) writes
 * the file system of the copy, since cp leaves it in memory.
 */
public final class ProgramTreeCopier implements TreeCopier {
  private static final int KEPT_WORDS = 300;

  @Override
  public void copy(Path from, Path to) throws IOException {
    run(
        List.of(
            "cp",
            "--archive",
            "--one-file-system",
            "--reflink=auto",
            "--sparse=auto",
            "--no-target-directory",
            "--",
            from.toString(),
            to.toString()));
    run(List.of("sync", "--file-system", "--", to.toString()));
  }

  static void run(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      String words = beginning(process.getInputStream());
      int exit = process.waitFor();
      if (exit != 0) {
        throw new IOException(command.getFirst() + " failed with " + exit + ": " + words);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(command.getFirst() + " was interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Reads all, lest the program blocks, and keeps the first words on one line. */
  private static String beginning(InputStream output) throws IOException {
    byte[] kept = output.readNBytes(KEPT_WORDS);
    output.transferTo(java.io.OutputStream.nullOutputStream());
    return new String(kept, StandardCharsets.UTF_8).strip().replaceAll("\\p{Cntrl}", " ");
  }
}
