package dev.csijava.hostpath.admin;

import com.google.protobuf.Timestamp;
import dev.csijava.core.mount.FileSystemType;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.ImageFileSystem;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.Adoption;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.hostpath.store.Quarantined;
import dev.csijava.hostpath.store.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Gives a folder that is not served a record again.
 *
 * @param target the state directory, absolute
 */
record Adopt(Path target, AdminMachine machine) {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /**
   * What the operator says.
   *
   * @param folder its name or its path
   * @param bytes the size
   */
  record Given(
      String folder,
      Optional<String> id,
      Optional<String> name,
      Optional<Long> bytes,
      Optional<Backing> backing,
      Optional<FileSystemType> fileSystem) {}

  /**
   * Does it.
   *
   * @throws RefusedException if something is missing, or the folder is not one that can be adopted
   */
  void adopt(Given given, Consumer<String> out) throws IOException, RefusedException {
    // Before anything is made or swept: a wrong directory must leave no trace.
    if (!StateDirectory.isThere(target)) {
      throw new RefusedException(
          "there is no state of this driver in " + target + "; name its directory by --statedir");
    }
    try (StateDirectory state =
        StateDirectory.open(
            target, machine.disk(), machine.mounts(), Steps.NONE, machine.clock())) {
      Path folder = folder(state, given.folder());
      Adoption adoption = new Adoption(machine.disk());
      Record record = draft(folder, adoption.remains(folder), given);
      if (state.volumes().byId(record.getId()).isPresent()
          || (!record.getName().isEmpty()
              && state.volumes().byName(record.getName()).isPresent())) {
        throw new RefusedException(
            "another volume has this id or name; give another one by --id or --name");
      }
      Record adopted = adoption.adopt(folder, record);
      out.accept(
          "volume %s named '%s' of %d bytes is served from the next start on"
              .formatted(adopted.getId(), adopted.getName(), adopted.getSizeBytes()));
    }
  }

  private static Path folder(StateDirectory state, String name) throws RefusedException {
    for (Quarantined quarantined : state.quarantined()) {
      Path folder = quarantined.folder();
      boolean named =
          folder.getFileName().toString().equals(name) || folder.toString().equals(name);
      if (named && state.volumes().base().equals(folder.getParent())) {
        return folder;
      }
    }
    throw new RefusedException(
        "no quarantined folder of a volume is called '" + OldData.printable(name) + "'");
  }

  private Record draft(Path folder, Record remains, Given given)
      throws IOException, RefusedException {
    Path data = folder.resolve(ObjectStore.DATA);
    boolean directory = Files.isDirectory(data, LinkOption.NOFOLLOW_LINKS);
    if (!directory && !Files.isRegularFile(data, LinkOption.NOFOLLOW_LINKS)) {
      throw new RefusedException("there is no data in " + folder + ", so nothing to adopt");
    }
    Backing backing = backing(remains, given, directory);
    Record.Builder record = remains.toBuilder().setBacking(backing);
    String id = given.id().orElse(remains.getId().isEmpty() ? name(folder) : remains.getId());
    if (!remains.getId().equals(id) && !ID.matcher(id).matches()) {
      throw new RefusedException(
          "'" + OldData.printable(id) + "' can't be an id; give one by --id");
    }
    record.setId(id);
    given.name().ifPresent(record::setName);
    if (record.getName().isEmpty() && !record.getVolume().hasInline()) {
      throw new RefusedException("the name is not known; give it by --name");
    }
    long file = directory ? 0 : Files.size(data);
    long bytes = given.bytes().orElse(remains.getSizeBytes() > 0 ? remains.getSizeBytes() : file);
    if (bytes <= 0) {
      throw new RefusedException("the size is not known; give it by --size");
    }
    if (!directory && bytes < file) {
      // The driver cuts off what a file has beyond its volume.
      throw new RefusedException(
          "the file has " + file + " bytes, more than the size; give a larger one by --size");
    }
    if (!directory && bytes > file) {
      throw new RefusedException(
          "the file has only " + file + " bytes; give that as --size, and expand the volume later");
    }
    record.setSizeBytes(bytes);
    if (!record.hasCreated()) {
      Instant now = machine.clock().instant();
      record.setCreated(
          Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()));
    }
    fileSystem(record, given);
    boolean other = !record.getName().equals(remains.getName()) || backing != remains.getBacking();
    if (!record.hasVolume() || other) {
      // A repeat of the old request must not find what is something else now.
      record.getVolumeBuilder().clearRequest();
    }
    return record.build();
  }

  private static String name(Path folder) {
    return folder.getFileName().toString();
  }

  private static Backing backing(Record remains, Given given, boolean directory)
      throws RefusedException {
    Backing backing = given.backing().orElse(directory ? Backing.DIRECTORY : remains.getBacking());
    if (backing == Backing.BACKING_UNKNOWN) {
      throw new RefusedException(
          "whether the file is an image or a raw block volume is not known; give --backing");
    }
    if (directory != (backing == Backing.DIRECTORY)) {
      throw new RefusedException(
          "the data is a " + (directory ? "directory" : "file") + ", which --backing does not fit");
    }
    return backing;
  }

  /** It is never made anew: that would be the end of what lies in it. */
  private static void fileSystem(Record.Builder record, Given given) throws RefusedException {
    if (record.getBacking() != Backing.IMAGE) {
      record.clearFileSystem();
      return;
    }
    ImageFileSystem.Builder found = record.getFileSystemBuilder().setFormatted(true);
    given.fileSystem().ifPresent(type -> found.setType(type.typeName()));
    if (found.getType().isEmpty()) {
      throw new RefusedException("the file system of the image is not known; give --fs-type");
    }
  }
}
