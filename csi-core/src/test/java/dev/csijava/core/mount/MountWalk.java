package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stages, publishes, unpublishes and unstages volumes as a driver does, and compares what the
 * kernel shows with a model after every step.
 */
final class MountWalk {
  static final int VOLUMES = 20;
  static final int TARGETS = 60;

  /** What a step does. */
  enum Action {
    STAGE,
    PUBLISH,
    PUBLISH_READ_ONLY,
    UNPUBLISH,
    UNSTAGE,
    /** Somebody else mounts the same on a target that shows it. */
    STACK_BY_HAND,
    /** The driver forgets everything. */
    RESTART
  }

  record Step(Action action, int volume, int target) {}

  /** What is at a path: a volume, read-only or not, so many times. */
  private record Shown(int volume, boolean readOnly, int copies) {}

  private final Path directory;
  private final Supplier<Mounter> mounters;
  private final Map<Path, Shown> model = new HashMap<>();
  private Mounter mounter;

  private MountWalk(Path directory, Supplier<Mounter> mounters) {
    this.directory = directory;
    this.mounters = mounters;
    this.mounter = mounters.get();
  }

  static List<Step> steps(long seed, int count) {
    Random random = new Random(seed);
    Action[] often = {
      Action.STAGE,
      Action.PUBLISH,
      Action.PUBLISH,
      Action.PUBLISH_READ_ONLY,
      Action.UNPUBLISH,
      Action.UNPUBLISH
    };
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int chance = random.nextInt(100);
      Action action =
          switch (chance) {
            case 0 -> Action.RESTART;
            case 1, 2 -> Action.STACK_BY_HAND;
            case 3, 4, 5, 6, 7, 8, 9, 10 -> Action.UNSTAGE;
            default -> often[random.nextInt(often.length)];
          };
      steps.add(new Step(action, random.nextInt(VOLUMES), random.nextInt(TARGETS)));
    }
    return steps;
  }

  /** The first thing that is not as the model has it; leaves no mount behind. */
  static Optional<String> run(List<Step> steps, Path directory, Supplier<Mounter> mounters)
      throws Exception {
    MountsBelow mounts = new MountsBelow(directory);
    try {
      MountWalk walk = new MountWalk(directory, mounters);
      for (int i = 0; i < VOLUMES; i++) {
        Files.createDirectories(walk.volume(i));
        Files.createDirectories(walk.staging(i));
      }
      for (int i = 0; i < TARGETS; i++) {
        Files.createDirectories(walk.target(i));
      }
      for (int i = 0; i < steps.size(); i++) {
        String wrong = walk.step(steps.get(i));
        if (wrong == null) {
          wrong = walk.comparison();
        }
        if (wrong != null) {
          return Optional.of("after step " + i + " " + steps.get(i) + ": " + wrong);
        }
      }
      return Optional.empty();
    } finally {
      mounts.clean();
    }
  }

  private Path volume(int i) {
    return directory.resolve("volumes/v" + i);
  }

  private Path staging(int i) {
    return directory.resolve("staging/v" + i);
  }

  private Path target(int i) {
    return directory.resolve("targets/t" + i);
  }

  private @Nullable String step(Step step) throws Exception {
    Path target = target(step.target());
    return switch (step.action()) {
      case STAGE -> bind(volume(step.volume()), staging(step.volume()), step.volume(), false);
      case PUBLISH -> publish(step, target, false);
      case PUBLISH_READ_ONLY -> publish(step, target, true);
      case UNPUBLISH -> unmount(target);
      case UNSTAGE -> unmount(staging(step.volume()));
      case STACK_BY_HAND -> stack(target);
      case RESTART -> {
        mounter = mounters.get();
        yield null;
      }
    };
  }

  /** As a driver has to: only from what really is staged. */
  private @Nullable String publish(Step step, Path target, boolean readOnly) {
    Path staging = staging(step.volume());
    boolean staged = mounter.isMountOf(volume(step.volume()), staging);
    if (staged != model.containsKey(staging)) {
      return "staged: " + staged;
    }
    return staged ? bind(staging, target, step.volume(), readOnly) : null;
  }

  private @Nullable String bind(Path source, Path target, int volume, boolean readOnly) {
    Shown there = model.get(target);
    boolean refused = there != null && (there.volume() != volume || there.readOnly() != readOnly);
    try {
      mounter.bind(source, target, readOnly ? MountOptions.NONE.withReadOnly() : MountOptions.NONE);
    } catch (CsiException e) {
      return refused && e.code() == Code.ALREADY_EXISTS ? null : "bind failed: " + e;
    }
    if (refused) {
      return "bind should have been refused, since the target shows " + there;
    }
    model.put(target, new Shown(volume, readOnly, 1));
    return null;
  }

  private @Nullable String unmount(Path path) {
    try {
      mounter.unmount(path);
    } catch (CsiException e) {
      return "unmount failed: " + e;
    }
    model.remove(path);
    return null;
  }

  private @Nullable String stack(Path target) throws Exception {
    Shown there = model.get(target);
    if (there != null && !there.readOnly()) {
      MountsBelow.run(
          "mount", "-n", "--bind", volume(there.volume()).toString(), target.toString());
      model.put(target, new Shown(there.volume(), false, there.copies() + 1));
    }
    return null;
  }

  private @Nullable String comparison() throws IOException {
    Map<String, Integer> expected = new TreeMap<>();
    model.forEach(
        (path, shown) ->
            expected.put(
                path + " shows v" + shown.volume() + (shown.readOnly() ? " ro" : " rw"),
                shown.copies()));
    Map<String, Integer> found = new TreeMap<>();
    for (Mount mount : MountTable.read().below(directory)) {
      found.merge(
          mount.target()
              + " shows "
              + mount.root().substring(mount.root().lastIndexOf('/') + 1)
              + (mount.options().contains("ro") ? " ro" : " rw"),
          1,
          Integer::sum);
    }
    return expected.equals(found) ? null : "expected " + expected + " but found " + found;
  }
}
