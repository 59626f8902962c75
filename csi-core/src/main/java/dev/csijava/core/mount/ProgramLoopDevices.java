package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Loop devices by losetup(8). */
final class ProgramLoopDevices implements LoopDevices {
  /** One line a device; the file's name is last since it may hold anything. */
  private static final String COLUMNS = "NAME,OFFSET,SIZELIMIT,RO,DIO,BACK-FILE";

  private static final int FIELDS = 6;
  private static final int HEX = 16;
  private static final Duration PATIENCE = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final ProgramRunner programs;
  private final Duration deadline;

  ProgramLoopDevices(ProgramRunner programs, Duration deadline) {
    this.programs = programs;
    this.deadline = deadline;
  }

  @Override
  public LoopDevice attach(Path image, boolean readOnly) {
    Path file = real(image);
    LoopDevice there = find(file).orElse(null);
    if (there == null) {
      there = attachNew(file, readOnly);
    }
    if (there.readOnly() != readOnly) {
      throw CsiException.failedPrecondition(
          "the image is attached already, but " + (there.readOnly() ? "read-only" : "writable"));
    }
    return there;
  }

  private LoopDevice attachNew(Path file, boolean readOnly) {
    ProgramResult result = losetup(attaching(readOnly).with("--direct-io=on"), file);
    LoopDevice device = find(file).orElse(null);
    if (device == null && !result.succeeded()) {
      // Not every file system can do direct I/O, and not every losetup goes on without.
      result = losetup(attaching(readOnly), file);
      device = find(file).orElse(null);
    }
    if (device == null) {
      throw CsiException.internal(
          result.succeeded()
              ? "losetup reported success, but the image is not attached"
              : result.words(ProgramCommand.of("losetup")),
          null);
    }
    if (!Files.exists(device.node())) {
      detach(file);
      throw CsiException.internal(
          "the kernel made a loop device, but "
              + device.node()
              + " does not appear; mount the"
              + " node's /dev into the container",
          null);
    }
    return device;
  }

  /** Nooverlap: a device that somebody attached between our look and this call is used. */
  private static ProgramCommand attaching(boolean readOnly) {
    ProgramCommand command = ProgramCommand.of("losetup", "--find", "--nooverlap");
    return readOnly ? command.with("--read-only") : command;
  }

  private ProgramResult losetup(ProgramCommand options, Path file) {
    return run(options.with("--", RawPaths.argument(file)));
  }

  @Override
  public Optional<LoopDevice> find(Path image) {
    if (!Files.exists(image)) {
      return Optional.empty();
    }
    ProgramCommand command =
        ProgramCommand.of(
            "losetup",
            "--list",
            "--noheadings",
            "--raw",
            "--output",
            COLUMNS,
            "--associated",
            RawPaths.argument(image));
    ProgramResult result = run(command);
    if (!result.succeeded()) {
      throw CsiException.unavailable(result.words(command), null);
    }
    List<LoopDevice> devices = new ArrayList<>();
    for (String line : result.stdout().split("\n", -1)) {
      if (!line.isBlank()) {
        devices.add(parse(line.strip()));
      }
    }
    if (devices.size() > 1) {
      throw CsiException.failedPrecondition(
          "the image is attached more than once: "
              + String.join(", ", devices.stream().map(d -> d.node().toString()).toList()));
    }
    return devices.stream().findFirst();
  }

  private static LoopDevice parse(String line) {
    String[] field = line.split(" +", FIELDS);
    if (field.length < FIELDS) {
      throw CsiException.unavailable("losetup answered in a form that is not known", null);
    }
    if (!field[1].equals("0") || !field[2].equals("0")) {
      throw CsiException.failedPrecondition(
          "a part of the image is attached as " + field[0] + ", and not by this driver");
    }
    return new LoopDevice(
        Path.of(field[0]), decoded(field[5]), field[3].equals("1"), field[4].equals("1"));
  }

  /** In raw output a blank, a control character or a backslash is a backslash, x, two digits. */
  private static String decoded(String raw) {
    byte[] bytes = raw.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream text = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\\' && i + 3 < bytes.length && bytes[i + 1] == 'x') {
        text.write(Character.digit(bytes[i + 2], HEX) * HEX + Character.digit(bytes[i + 3], HEX));
        i += 3;
      } else {
        text.write(bytes[i]);
      }
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  @Override
  public long grow(Path image) {
    LoopDevice device =
        find(image).orElseThrow(() -> CsiException.failedPrecondition("the image is not attached"));
    ProgramCommand command =
        ProgramCommand.of("losetup", "--set-capacity", device.node().toString());
    ProgramResult result = run(command);
    try {
      long wanted = Files.size(image);
      long size = sizeOf(device.node());
      // The device counts whole sectors.
      if (!result.succeeded() || size < wanted - wanted % 512) {
        throw CsiException.internal(
            result.succeeded()
                ? "the loop device has " + size + " bytes, and its image " + wanted
                : result.words(command),
            null);
      }
      return size;
    } catch (IOException e) {
      throw CsiException.internal("the loop device or its image can't be read", e);
    }
  }

  private static long sizeOf(Path node) throws IOException {
    try (FileChannel device = FileChannel.open(node, StandardOpenOption.READ)) {
      return device.size();
    }
  }

  @Override
  public void detach(Path image) {
    LoopDevice device = find(image).orElse(null);
    if (device == null) {
      return;
    }
    ProgramCommand command = ProgramCommand.of("losetup", "--detach", device.node().toString());
    ProgramResult result = run(command);
    if (isGone(image, result.succeeded())) {
      return;
    }
    if (result.succeeded()) {
      throw CsiException.failedPrecondition(
          device.node() + " is in use, and is released when nobody uses it any more");
    }
    throw CsiException.internal(result.words(command), null);
  }

  /**
   * Whoever looks at the device at this moment, udev for example, has it open: that is waited for.
   */
  private boolean isGone(Path image, boolean wait) {
    long end = System.nanoTime() + (wait ? PATIENCE.toNanos() : 0);
    while (find(image).isPresent()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return true;
  }

  private ProgramResult run(ProgramCommand command) {
    try {
      return programs.run(command, deadline);
    } catch (IOException e) {
      throw CsiException.internal("losetup can't be run: " + e.getMessage(), e);
    }
  }

  private static Path real(Path image) {
    try {
      return image.toRealPath();
    } catch (NoSuchFileException e) {
      throw CsiException.notFound("there is no image at the path");
    } catch (IOException e) {
      throw CsiException.internal("the image can't be read", e);
    }
  }
}
