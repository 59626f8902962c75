package dev.csijava.hostpath.admin;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.node.Publications;
import dev.csijava.hostpath.node.Stagings;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.hostpath.store.Quarantined;
import dev.csijava.hostpath.store.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Deletes volumes and quarantined folders that an operator names: all of them or, if anything
 * stands against one, none. Goes through the one door for all that removes data (rule K1).
 *
 * @param target the state directory, absolute
 * @param runDirectory of the driver
 * @param attachedToo whether an attachment by the record stands not against it, for want of a
 *     cluster that could detach; what is mounted or open is refused all the same
 */
record Purge(Path target, Path runDirectory, AdminMachine machine, boolean attachedToo) {
  /**
   * Does it.
   *
   * @param known ids that are not to be deleted; empty if nobody said
   * @throws RefusedException with a line for all that stands against it; nothing was deleted then
   * @throws dev.csijava.hostpath.store.StateInUseException if a driver runs
   */
  void purge(List<String> what, Optional<Set<String>> known, Consumer<String> out)
      throws IOException, RefusedException {
    // Before anything is made or swept: a wrong directory must leave no trace.
    if (!StateDirectory.isThere(target)) {
      throw new RefusedException(
          "there is no state of this driver in " + target + "; name its directory by --statedir");
    }
    if (known.isPresent() && known.get().isEmpty()) {
      throw new RefusedException(
          "--known-ids names no id at all, as if what writes it had failed; leave it out if nothing"
              + " is known\nnothing was deleted");
    }
    try (StateDirectory state =
        StateDirectory.open(
            target, machine.disk(), machine.mounts(), Steps.NONE, machine.clock())) {
      Map<String, List<String>> entries = RunFiles.read(runDirectory);
      List<String> problems = new ArrayList<>();
      Set<Doomed> all = new LinkedHashSet<>();
      for (String name : what) {
        find(state, name)
            .ifPresentOrElse(
                all::add,
                () ->
                    problems.add(
                        "'%s' is no volume and no quarantined folder"
                            .formatted(OldData.printable(name))));
      }
      for (Doomed doomed : all) {
        refusal(doomed, known.orElse(Set.of()), entries)
            .ifPresent(why -> problems.add(doomed.id() + ": " + why));
      }
      if (!problems.isEmpty()) {
        throw new RefusedException(String.join("\n", problems) + "\nnothing was deleted");
      }
      for (Doomed doomed : all) {
        detach(doomed);
      }
      for (Doomed doomed : all) {
        delete(state, doomed);
        out.accept(doomed.id() + " is deleted");
      }
    }
  }

  /**
   * What is to go.
   *
   * @param id of the volume; the folder's name if it has no record
   * @param record empty for a quarantined folder
   */
  private record Doomed(String id, Path folder, Optional<Record> record) {
    Path data() {
      return folder.resolve(ObjectStore.DATA);
    }
  }

  private static Optional<Doomed> find(StateDirectory state, String name) {
    Optional<Record> volume = state.volumes().byId(name);
    if (volume.isPresent()) {
      return Optional.of(new Doomed(name, state.volumes().folder(volume.get()), volume));
    }
    return state.quarantined().stream()
        .map(Quarantined::folder)
        .filter(
            folder ->
                folder.getFileName().toString().equals(name) || folder.toString().equals(name))
        .map(folder -> new Doomed(folder.getFileName().toString(), folder, Optional.empty()))
        .findFirst();
  }

  private Optional<String> refusal(
      Doomed doomed, Set<String> known, Map<String, List<String>> entries) {
    if (known.contains(doomed.id())) {
      return Optional.of("it is among --known-ids");
    }
    if (!attachedToo
        && doomed.record().isPresent()
        && doomed.record().get().getVolume().getAttachmentsCount() > 0) {
      return Optional.of(
          "it is attached to node "
              + doomed.record().get().getVolume().getAttachments(0).getNodeId()
              + "; detach it there, or give --attached if nobody can any more");
    }
    boolean file = Files.isRegularFile(doomed.data(), LinkOption.NOFOLLOW_LINKS);
    VolumeSurvey.Users users = VolumeSurvey.Users.of(doomed.data(), file, machine);
    if (!users.targets().isEmpty()) {
      return Optional.of("it is mounted at " + users.targets().getFirst());
    }
    if (users.device().isEmpty()) {
      return Optional.empty();
    }
    // Of a raw block volume that is staged the entry is all that tells; of an image it may be
    // stale,
    // and what is not mounted is not used. Of a folder without a record nobody knows what it was.
    boolean image =
        doomed.record().map(Record::getBacking).filter(b -> b == Backing.IMAGE).isPresent();
    boolean staged = entries.containsKey(doomed.id());
    return image || (doomed.record().isPresent() && !staged)
        ? Optional.empty()
        : Optional.of(
            "it is attached as "
                + users.device().get().node()
                + "; if nobody uses that, detach it with losetup --detach");
  }

  /** What somebody has open is refused here, before anything is deleted. */
  private void detach(Doomed doomed) throws RefusedException {
    if (Files.isRegularFile(doomed.data(), LinkOption.NOFOLLOW_LINKS)) {
      try {
        machine.loops().detach(doomed.data());
      } catch (CsiException e) {
        throw new RefusedException(doomed.id() + ": " + e.getMessage() + "\nnothing was deleted");
      }
    }
  }

  private void delete(StateDirectory state, Doomed doomed) throws IOException {
    if (doomed.record().isPresent()) {
      forget(doomed.record().get());
      state.volumes().delete(doomed.record().get());
    } else {
      state.destruction().deleteCommitted(doomed.folder());
    }
  }

  /** Entries of what is gone would only be read by a start, and count for nothing. */
  private void forget(Record volume) throws IOException {
    Publications publications = Publications.open(runDirectory);
    publications
        .of(volume.getId())
        .forEach(publication -> publications.remove(publication.getTargetPath()));
    Stagings stagings = Stagings.open(runDirectory);
    stagings.of(volume).forEach(stagings::remove);
  }
}
