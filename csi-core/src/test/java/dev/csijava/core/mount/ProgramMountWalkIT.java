package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The walk by mount(8) and umount(8). */
class ProgramMountWalkIT extends MountWalkContract {
  @Override
  protected Mounter newMounter() {
    return Mounter.byPrograms(Duration.ofMinutes(1));
  }

  @Override
  protected int steps() {
    return 200;
  }

  @Test
  void aMounterThatForgetsReadOnlyIsCaughtWithTwoSteps() throws Exception {
    Path directory = temporary.toRealPath();
    List<MountWalk.Step> steps = MountWalk.steps(1, 60);
    assertThat(MountWalk.run(steps, directory, Forgetful::new)).isPresent();
    List<MountWalk.Step> few =
        Shrinker.shrink(
            steps,
            less -> {
              try {
                return MountWalk.run(less, directory, Forgetful::new).isPresent();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    assertThat(few).hasSize(2);
    assertThat(few.get(1).action()).isEqualTo(MountWalk.Action.PUBLISH_READ_ONLY);
  }

  /** Binds without the options. */
  private static final class Forgetful implements Mounter {
    private final Mounter mounter = Mounter.byPrograms(Duration.ofMinutes(1));

    @Override
    public void bind(Path source, Path target, MountOptions options) {
      mounter.bind(source, target, MountOptions.NONE);
    }

    @Override
    public void mount(String source, Path target, String type, List<String> options) {
      mounter.mount(source, target, type, options);
    }

    @Override
    public void unmount(Path target) {
      mounter.unmount(target);
    }

    @Override
    public Optional<Mount> mountAt(Path target) {
      return mounter.mountAt(target);
    }

    @Override
    public boolean isMountOf(Path source, Path target) {
      return mounter.isMountOf(source, target);
    }
  }
}
