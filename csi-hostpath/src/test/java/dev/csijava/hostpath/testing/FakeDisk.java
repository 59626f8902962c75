package dev.csijava.hostpath.testing;

import dev.csijava.hostpath.disk.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A disk in memory that says what it was asked for, and fails at the operation it is told to. */
public final class FakeDisk implements Disk {
  private final List<String> operations = new ArrayList<>();
  private int failAt = Integer.MAX_VALUE;
  private String words = "";
  private boolean dead;

  /** From now on the operation with this number, counted from 0, fails with these words. */
  public synchronized void failAt(int operation, String message) {
    operations.clear();
    failAt = operation;
    words = message;
  }

  /** From now on every operation fails, as for a process that is dead. */
  public synchronized void die() {
    dead = true;
  }

  /** Fails no more. */
  public synchronized void heal() {
    failAt = Integer.MAX_VALUE;
    dead = false;
  }

  /** What was asked for since the last {@link #failAt}. */
  public synchronized List<String> operations() {
    return List.copyOf(operations);
  }

  @Override
  public void write(Path file, byte[] content) throws IOException {
    count("write");
    Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    count("sync");
    if (!Files.isDirectory(folder)) {
      throw new IOException(folder + " is no folder");
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    count("rename");
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private synchronized void count(String operation) throws IOException {
    int number = operations.size();
    operations.add(operation);
    if (dead) {
      throw new IOException("the process is dead");
    }
    if (number == failAt) {
      throw new IOException(words);
    }
  }
}
