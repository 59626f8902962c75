package dev.csijava.hostpath.admin;

import dev.csijava.hostpath.admin.state.ImportItem;
import dev.csijava.hostpath.admin.state.ImportPlan;
import dev.csijava.hostpath.admin.state.ImportStep;
import dev.csijava.hostpath.node.Publications;
import dev.csijava.hostpath.node.Stagings;
import dev.csijava.hostpath.state.Publication;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.Staged;
import dev.csijava.hostpath.store.Incoming;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.hostpath.store.StateListing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Does what a plan says: all is put together aside, then shown by renames, read back and counted,
 * and only then something of the old state goes. Every step looks what is done already.
 */
final class ImportRun {
  private final StateDirectory state;
  private final OldData old;
  private final Path runDirectory;
  private final Incoming incoming;
  private final ImportJournal journal;
  private final ItemMove move;

  /**
   * @param state open for an import
   * @param runDirectory of the driver
   */
  ImportRun(StateDirectory state, OldData old, Path runDirectory) {
    this.state = state;
    this.old = old;
    this.runDirectory = runDirectory;
    this.incoming = new Incoming(state.root(), old.machine().disk());
    this.journal = new ImportJournal(incoming.area(), old.machine().disk());
    this.move = new ItemMove(old, incoming, state.destruction());
  }

  ImportJournal journal() {
    return journal;
  }

  Incoming incoming() {
    return incoming;
  }

  /**
   * Ends with all of the plan done.
   *
   * @return what stays of the old state, in words
   * @throws RefusedException if something stands against it; another run, or a roll-back, is
   *     possible
   */
  List<String> run(ImportPlan plan) throws IOException, RefusedException {
    if (!plan.getVerified()) {
      bring(plan);
      show(plan);
      requireAllThere(plan);
      journal.write(plan.toBuilder().setVerified(true).build());
    }
    return finish(plan);
  }

  private void bring(ImportPlan plan) throws IOException, RefusedException {
    incoming.open();
    for (ImportItem item : plan.getItemsList()) {
      move.forward(item);
    }
    for (ImportItem item : plan.getItemsList()) {
      move.verify(item);
    }
  }

  private void show(ImportPlan plan) throws IOException {
    for (ImportItem item : plan.getItemsList()) {
      incoming.commit(item.getRecord());
    }
    incoming.sync();
    Publications publications = Publications.open(runDirectory);
    Stagings stagings = Stagings.open(runDirectory);
    for (ImportItem item : plan.getItemsList()) {
      item.getPublicationsList().forEach(publications::put);
      for (Staged staged : item.getStagedList()) {
        stagings.put(item.getRecord(), path(staged.getStagingPath()), staged.getReadonly());
      }
    }
  }

  private Path path(String text) {
    return old.directory().getFileSystem().getPath(text);
  }

  /** Reads the new state as a start does, and compares it with the plan. */
  private void requireAllThere(ImportPlan plan) throws IOException, RefusedException {
    StateListing listing = StateListing.read(state.root());
    Map<Path, Record> found = new HashMap<>();
    List<StateListing.Entry> entries = new ArrayList<>(listing.volumes());
    entries.addAll(listing.snapshots());
    entries.addAll(listing.groups());
    for (StateListing.Entry entry : entries) {
      Record record = entry.record();
      if (record != null) {
        found.put(entry.folder(), record);
      }
    }
    for (ImportItem item : plan.getItemsList()) {
      Record record = item.getRecord();
      if (!record.equals(found.get(incoming.home(record)))) {
        throw new RefusedException(incoming.home(record) + " does not read back as it was written");
      }
      move.verify(item);
    }
  }

  private List<String> finish(ImportPlan plan) throws IOException, RefusedException {
    if (!incoming.isEmpty()) {
      throw new RefusedException(
          incoming.area() + " has folders that are in no plan; look what they are");
    }
    List<String> left = new ArrayList<>();
    boolean oneMount = old.machine().sameMount().is(old.directory(), state.root());
    for (ImportItem item : plan.getItemsList()) {
      Path source = old.at(item.getOldName());
      boolean copied = item.getStep() == ImportStep.UNPACK || item.getStep() == ImportStep.COPY;
      if (copied && ItemMove.exists(source)) {
        if (oneMount) {
          state.destruction().dropPending(source);
        } else {
          left.add(source + " is copied; remove it when you like");
        }
      }
    }
    Path file = old.at(GoStateFile.NAME);
    if (ItemMove.exists(file)) {
      Path aside = freeName();
      old.machine().disk().rename(file, aside);
      left.add("what was " + GoStateFile.NAME + " is kept as " + aside);
    }
    old.machine().disk().syncFolder(old.directory());
    state.destruction().dropPending(incoming.area());
    try {
      old.machine().disk().syncFolder(state.root());
    } catch (IOException e) {
      left.add(
          "should no driver start after a crash now, run the import once more: " + e.getMessage());
    }
    return left;
  }

  private Path freeName() {
    Path name = old.at(GoStateFile.NAME + ".imported");
    for (int i = 2; ItemMove.exists(name); i++) {
      name = old.at(GoStateFile.NAME + ".imported-" + i);
    }
    return name;
  }

  /**
   * Ends with all of the old state where it was.
   *
   * @throws RefusedException if the import is verified already, or something is not to be found
   */
  void rollBack(ImportPlan plan) throws IOException, RefusedException {
    if (plan.getVerified()) {
      throw new RefusedException(
          "all of the new state is verified, and part of the old one may be gone; run the import"
              + " again, which finishes it");
    }
    incoming.open();
    for (ImportItem item : plan.getItemsList()) {
      move.back(item);
    }
    incoming.sync();
    Publications publications = Publications.open(runDirectory);
    Stagings stagings = Stagings.open(runDirectory);
    for (ImportItem item : plan.getItemsList()) {
      for (Publication publication : item.getPublicationsList()) {
        publications.remove(publication.getTargetPath());
      }
      for (Staged staged : item.getStagedList()) {
        stagings.remove(path(staged.getStagingPath()));
      }
    }
    state.destruction().dropPending(incoming.area());
  }
}
