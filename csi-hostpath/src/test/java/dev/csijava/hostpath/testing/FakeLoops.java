package dev.csijava.hostpath.testing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.LoopDevice;
import dev.csijava.core.mount.LoopDevices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loop devices without a kernel: a node is a plain file, and a device has the size it was given.
 */
public final class FakeLoops implements LoopDevices {
  private final Path dev;
  private final FakeKernel kernel;
  private final Map<Path, LoopDevice> byFile = new ConcurrentHashMap<>();
  private final Map<Path, Long> sizes = new ConcurrentHashMap<>();
  private volatile boolean busy;
  private int made;

  /**
   * @param dev an existing directory for the nodes
   */
  public FakeLoops(Path dev, FakeKernel kernel) {
    this.dev = dev;
    this.kernel = kernel;
  }

  /** The files that are attached. */
  public Set<Path> files() {
    return Set.copyOf(byFile.keySet());
  }

  /** The size of the device of a file, in bytes. */
  public long sizeOf(Path file) {
    return sizes.getOrDefault(file, -1L);
  }

  /** Whether the device of a file refuses writes. */
  public boolean isReadOnly(Path file) {
    return find(file).filter(LoopDevice::readOnly).isPresent();
  }

  /** Lets somebody keep all devices open. */
  public void keepOpen(boolean open) {
    busy = open;
  }

  /** Takes all devices away, as a reboot does. */
  public void loseAll() {
    byFile.clear();
    sizes.clear();
  }

  @Override
  public synchronized LoopDevice attach(Path image, boolean readOnly) {
    LoopDevice there = byFile.get(image);
    if (there == null) {
      Path node = dev.resolve("loop" + made++);
      try {
        Files.createFile(node);
        sizes.put(image, Files.size(image));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      there = new LoopDevice(node, image.toString(), readOnly, true);
      byFile.put(image, there);
      kernel.attached(node, image);
    }
    if (there.readOnly() != readOnly) {
      throw CsiException.failedPrecondition("attached already, in the other state");
    }
    return there;
  }

  @Override
  public Optional<LoopDevice> find(Path image) {
    return Optional.ofNullable(byFile.get(image));
  }

  @Override
  public long grow(Path image) {
    try {
      long size = Files.size(image);
      sizes.put(image, size);
      return size;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void detach(Path image) {
    if (busy && byFile.containsKey(image)) {
      throw CsiException.failedPrecondition("the device is in use");
    }
    byFile.remove(image);
    sizes.remove(image);
  }
}
