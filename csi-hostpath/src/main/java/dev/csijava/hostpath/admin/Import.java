package dev.csijava.hostpath.admin;

import dev.csijava.hostpath.admin.state.ImportItem;
import dev.csijava.hostpath.admin.state.ImportPlan;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.Incoming;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.hostpath.store.StateListing;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Takes over what the Go driver has, with both drivers stopped. Ids stay; directories and block
 * files move by one rename each, so who has them mounted notices nothing.
 *
 * @param source the state directory of the Go driver, absolute
 * @param target the state directory of this driver, absolute; may be the same one
 * @param runDirectory of this driver
 * @param skipped ids that stay where they are
 */
record Import(
    Path source, Path target, Path runDirectory, Set<String> skipped, AdminMachine machine) {
  /**
   * Says what would be done; changes nothing.
   *
   * @throws RefusedException with all that stands against it
   */
  void plan(Consumer<String> out) throws IOException, RefusedException {
    OldData old = old();
    StateListing existing =
        Files.exists(target)
            ? StateListing.read(target)
            : new StateListing(List.of(), List.of(), List.of(), List.of(), List.of());
    if (Files.exists(target) && Incoming.isUnfinished(target.toRealPath())) {
      throw new RefusedException(
          "an import into " + target + " is not finished; run it again, or with --rollback");
    }
    Path near = target;
    while (!Files.exists(near) && near.getParent() != null) {
      near = near.getParent();
    }
    ImportPlanner planner = planner(old, near.toRealPath(), existing);
    ImportPlan plan = planner.plan(GoStateFile.read(old.directory()));
    plan.getItemsList().forEach(item -> out.accept(sentence(item)));
    planner.notes().forEach(out);
    unnamed(old, plan).forEach(out);
    out.accept("nothing was changed");
  }

  private OldData old() throws IOException {
    return new OldData(source.toRealPath(), machine);
  }

  private ImportPlanner planner(OldData old, Path root, StateListing existing) throws IOException {
    return new ImportPlanner(
        old,
        machine.sameMount().is(old.directory(), root),
        skipped,
        new ForeignRecords(old.directory().getFileSystem(), machine.clock().instant()),
        existing);
  }

  /**
   * Does it, or goes on where an earlier run ended.
   *
   * @throws RefusedException if something stands against it; a run later goes on from there
   * @throws dev.csijava.hostpath.store.StateInUseException if a driver runs
   */
  void run(Consumer<String> out) throws IOException, RefusedException {
    OldData old = old();
    if (!Files.exists(target) || !Incoming.isUnfinished(target.toRealPath())) {
      // Before anything is made: a wrong directory must leave no trace.
      GoStateFile ignored = GoStateFile.read(old.directory());
    }
    try (StateDirectory state = open()) {
      ImportRun run = new ImportRun(state, old, runDirectory);
      Optional<ImportPlan> earlier = run.journal().read();
      ImportPlan plan =
          earlier.isPresent() ? goOn(earlier.get(), old, out) : begin(run, state, out);
      List<String> left = run.run(plan);
      plan.getItemsList().forEach(item -> out.accept(sentence(item)));
      left.forEach(out);
      out.accept(plan.getItemsCount() + " objects were taken over and read back");
    }
  }

  private StateDirectory open() throws IOException {
    return StateDirectory.openForImport(target, machine.disk(), machine.mounts(), machine.clock());
  }

  private ImportPlan begin(ImportRun run, StateDirectory state, Consumer<String> out)
      throws IOException, RefusedException {
    OldData old = old();
    ImportPlanner planner = planner(old, state.root(), StateListing.read(state.root()));
    ImportPlan plan = planner.plan(GoStateFile.read(old.directory()));
    planner.notes().forEach(out);
    unnamed(old, plan).forEach(out);
    run.incoming().open();
    run.journal().write(plan);
    return plan;
  }

  private ImportPlan goOn(ImportPlan plan, OldData old, Consumer<String> out)
      throws IOException, RefusedException {
    requireSource(plan, old);
    if (!plan.getVerified()
        && !GoStateFile.read(old.directory()).sha256().equals(plan.getStateSha256())) {
      throw new RefusedException(
          GoStateFile.NAME
              + " has changed since the import began; take it back with --rollback, then import"
              + " again");
    }
    out.accept("going on with an import that was not finished");
    return plan;
  }

  private static void requireSource(ImportPlan plan, OldData old) throws RefusedException {
    if (!plan.getSource().equals(old.directory().toString())) {
      throw new RefusedException(
          "an import from " + plan.getSource() + " is not finished; finish it first");
    }
  }

  /**
   * Takes an unfinished import back.
   *
   * @throws RefusedException if there is none, or it is too late
   */
  void rollBack(Consumer<String> out) throws IOException, RefusedException {
    OldData old = old();
    if (!Files.exists(target) || !Incoming.isUnfinished(target.toRealPath())) {
      throw new RefusedException("there is no unfinished import into " + target);
    }
    try (StateDirectory state = open()) {
      ImportRun run = new ImportRun(state, old, runDirectory);
      ImportPlan plan = run.journal().read().orElse(null);
      if (plan == null) {
        // The plan comes before the first move, so without one nothing was moved.
        run.incoming().open();
        if (!run.incoming().isEmpty()) {
          throw new RefusedException(
              "the plan of the import is lost; look what lies in " + run.incoming().area());
        }
        plan = ImportPlan.newBuilder().setSource(old.directory().toString()).build();
      }
      requireSource(plan, old);
      run.rollBack(plan);
      out.accept(plan.getItemsCount() + " objects are where they were");
    }
  }

  private static String sentence(ImportItem item) {
    Record record = item.getRecord();
    String kind = record.hasVolume() ? "volume" : record.hasSnapshot() ? "snapshot" : "group";
    String how =
        switch (item.getStep()) {
          case MOVE -> "moved";
          case COPY -> "copied";
          case UNPACK -> "unpacked";
          case NO_DATA, UNRECOGNIZED -> "recorded";
        };
    return "%s %s: %s to folder %s%s"
        .formatted(
            kind,
            record.getId(),
            how,
            record.getFolder(),
            item.getPublicationsCount() == 0
                ? ""
                : ", mounted at " + item.getPublications(0).getTargetPath());
  }

  private List<String> unnamed(OldData old, ImportPlan plan) throws IOException {
    Set<String> known = new HashSet<>();
    plan.getItemsList().forEach(item -> known.add(item.getOldName()));
    boolean inPlace = Files.exists(target) && target.toRealPath().equals(old.directory());
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(old.directory())) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        boolean ours = inPlace && OldData.OWN.contains(name);
        if (!known.contains(name) && !ours && !name.startsWith(GoStateFile.NAME)) {
          found.add("%s is not imported and stays where it is".formatted(entry));
        }
      }
    }
    found.sort(null);
    return found;
  }
}
