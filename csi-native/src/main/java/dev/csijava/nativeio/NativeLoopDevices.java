package dev.csijava.nativeio;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.LoopDevice;
import dev.csijava.core.mount.LoopDevices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Loop devices by ioctl. Each carries a tag, so that what a crash left is known among those of
 * others. Attaching locks the image, so that two processes make one device of it.
 */
final class NativeLoopDevices implements LoopDevices {
  /** With the pauses half a second: udev or blkid may look at the device, on a busy node slowly. */
  private static final int TRIES = 30;

  private static final long FIRST_PAUSE_NANOS = 500_000;
  private static final long LONGEST_PAUSE_NANOS = 20_000_000;
  private static final long SECTOR_BYTES = 512;

  private final LoopNodes nodes;
  private final LoopAttachment attachment;
  private final String tag;

  NativeLoopDevices(LoopNodes nodes, String tag) {
    this.nodes = nodes;
    this.attachment = new LoopAttachment(nodes, tag);
    this.tag = tag;
  }

  @Override
  public LoopDevice attach(Path image, boolean readOnly) {
    try (LoopNodes.Open loop = open(image, readOnly, 0)) {
      return described(loop);
    } catch (IOException e) {
      throw failed("attached", e);
    }
  }

  @Override
  public <T> T whileUsed(Path image, boolean readOnly, Function<LoopDevice, T> use) {
    try (LoopNodes.Open loop = open(image, readOnly, LoopStatus.AUTOCLEAR)) {
      LoopStatus.releaseWhenUnused(loop.device());
      return use.apply(described(loop));
    } catch (IOException e) {
      throw failed("attached", e);
    }
  }

  /** The device that is there already, or a new one; the image is locked meanwhile. */
  private LoopNodes.Open open(Path image, boolean readOnly, int flags) throws IOException {
    try (LoopImage file = LoopImage.locked(image, readOnly)) {
      LoopNodes.Open there = held(file.status()).orElse(null);
      if (there == null) {
        return attachment.attach(file, readOnly, flags);
      }
      if (there.status().readOnly() != readOnly) {
        boolean is = there.status().readOnly();
        there.close();
        throw CsiException.failedPrecondition(
            "the image is attached already, but " + (is ? "read-only" : "writable"));
      }
      return there;
    }
  }

  @Override
  public Optional<LoopDevice> find(Path image) {
    try (LoopNodes.Open loop = holding(image)) {
      return loop == null ? Optional.empty() : Optional.of(described(loop));
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public boolean isAttachedAs(Path image, Path node) {
    try {
      NodeStatus file = statusOf(image);
      LoopStatus loop = file == null ? null : nodes.status(node);
      return file != null && loop != null && loop.isOf(file) && loop.whole();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public long grow(Path image) {
    try (LoopNodes.Open loop = holding(image)) {
      if (loop == null) {
        throw CsiException.failedPrecondition("the image is not attached");
      }
      try (Descriptor device = Descriptor.open(loop.node(), Descriptor.READ_WRITE);
          Descriptor file = Descriptor.open(image, Descriptor.READ)) {
        Ioctl.LOOP_SET_CAPACITY.on(device, 0);
        long wanted = NodeStatus.of(file).size();
        long size = BlockDevice.size(device);
        if (size < wanted - wanted % SECTOR_BYTES) {
          throw CsiException.internal(
              "the loop device has " + size + " bytes, and its image " + wanted, null);
        }
        return size;
      }
    } catch (IOException e) {
      throw failed("grown", e);
    }
  }

  @Override
  public void detach(Path image) {
    long pause = FIRST_PAUSE_NANOS;
    for (int i = 1; ; i++) {
      try (LoopNodes.Open loop = holding(image)) {
        if (loop == null) {
          return;
        }
        if (i == TRIES) {
          throw CsiException.failedPrecondition(
              loop.node() + " is in use, and is released when nobody uses it any more");
        }
        Ioctl.LOOP_CLEAR.on(loop.device(), 0);
      } catch (LinuxException e) {
        // Gone by itself between the look and the call.
        if (!e.is(Errno.ENXIO)) {
          throw failed("detached", e);
        }
      } catch (IOException e) {
        throw unreadable(e);
      }
      // Whoever looks at the device at this moment, udev for example, has it open.
      if (find(image).isEmpty()) {
        return;
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
  }

  @Override
  public List<LoopDevice> sweep(Collection<Path> wanted) {
    List<LoopNodes.Open> ours;
    try {
      ours = nodes.select(loop -> loop.status().tag().equals(tag));
    } catch (IOException e) {
      throw unreadable(e);
    }
    try {
      Set<FileKey> keys = ours.isEmpty() ? Set.of() : keys(wanted);
      List<LoopDevice> released = new ArrayList<>();
      for (LoopNodes.Open loop : ours) {
        if (!keys.contains(new FileKey(loop.status().fileSystem(), loop.status().inode()))) {
          LoopDevice device = described(loop);
          Ioctl.LOOP_CLEAR.on(loop.device(), 0);
          released.add(device);
        }
      }
      return released;
    } catch (IOException e) {
      throw unreadable(e);
    } finally {
      ours.forEach(LoopNodes.Open::close);
    }
  }

  private record FileKey(long fileSystem, long inode) {}

  private static Set<FileKey> keys(Collection<Path> images) throws LinuxException {
    Set<FileKey> keys = new HashSet<>();
    for (Path image : images) {
      try (Descriptor place = Descriptor.open(image, Descriptor.PATH)) {
        NodeStatus status = NodeStatus.of(place);
        keys.add(new FileKey(status.fileSystem().packed(), status.inode()));
      } catch (LinuxException e) {
        if (!e.is(Errno.ENOENT, Errno.ENOTDIR)) {
          throw e;
        }
      }
    }
    return keys;
  }

  private LoopNodes.@Nullable Open holding(Path image) throws IOException {
    NodeStatus status = statusOf(image);
    return status == null ? null : held(status).orElse(null);
  }

  /** Null if there is no such file. */
  private static @Nullable NodeStatus statusOf(Path image) throws LinuxException {
    try (Descriptor place = Descriptor.open(image, Descriptor.PATH)) {
      return NodeStatus.of(place);
    } catch (LinuxException e) {
      if (e.is(Errno.ENOENT, Errno.ENOTDIR)) {
        return null;
      }
      throw e;
    }
  }

  /** The one device of this file, held open. */
  private Optional<LoopNodes.Open> held(NodeStatus file) throws IOException {
    List<LoopNodes.Open> found = nodes.select(loop -> loop.status().isOf(file));
    if (found.size() == 1 && found.get(0).status().whole()) {
      return Optional.of(found.get(0));
    }
    found.forEach(LoopNodes.Open::close);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    List<String> names = found.stream().map(loop -> loop.node().toString()).sorted().toList();
    throw CsiException.failedPrecondition(
        found.size() > 1
            ? "the image is attached more than once: " + String.join(", ", names)
            : "a part of the image is attached as " + names.get(0) + ", and not by this driver");
  }

  private LoopDevice described(LoopNodes.Open loop) throws IOException {
    return new LoopDevice(
        loop.node(),
        nodes.backingFile(loop.node()),
        loop.status().readOnly(),
        loop.status().directIo());
  }

  private static CsiException failed(String what, IOException e) {
    return CsiException.internal("the image can't be " + what + ": " + e.getMessage(), e);
  }

  private static CsiException unreadable(IOException e) {
    return CsiException.unavailable("the loop devices can't be read: " + e.getMessage(), e);
  }
}
