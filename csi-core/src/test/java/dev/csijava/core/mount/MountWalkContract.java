package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A random walk over volumes and targets, the same every time; {@code -Dcsi.walk.seed=N} takes
 * another one. What fails is shortened before it is shown. Needs root.
 */
public abstract class MountWalkContract {
  private static final long SEED = Long.getLong("csi.walk.seed", 20261129);

  @TempDir Path temporary;

  protected abstract Mounter newMounter();

  /** How many steps one build has time for. */
  protected abstract int steps();

  @BeforeEach
  void permitted() throws Exception {
    MountsBelow.assumePermitted(temporary.toRealPath());
  }

  @Test
  @DisplayName("B030 B037 B123 a random walk agrees with the model after every step")
  void aRandomWalkAgreesWithTheModel() throws Exception {
    walk(steps());
  }

  /** Fails with the shortest list of steps. */
  protected final void walk(int count) throws Exception {
    Path directory = Files.createDirectories(temporary.toRealPath().resolve("walk"));
    List<MountWalk.Step> steps = MountWalk.steps(SEED, count);
    Optional<String> wrong = MountWalk.run(steps, directory, this::newMounter);
    if (wrong.isEmpty()) {
      return;
    }
    List<MountWalk.Step> few = Shrinker.shrink(steps, less -> fails(less, directory));
    assertThat(MountWalk.run(few, directory, this::newMounter))
        .as("seed " + SEED + ", first " + wrong.get() + "; shortened to " + few)
        .isEmpty();
  }

  private boolean fails(List<MountWalk.Step> steps, Path directory) {
    try {
      return MountWalk.run(steps, directory, this::newMounter).isPresent();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
