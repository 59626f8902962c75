package dev.csijava.hostpath.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.VolumeHealth;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A volume whose data is in the trash already and whose record is still in the index. */
class VanishingVolumeTest {
  private final CompletableFuture<List<VolumeHealth>> ill = new CompletableFuture<>();
  private Runnable whenTrashed = () -> {};

  @Test
  @Timeout(30)
  void aVolumeThatIsJustBeingDeletedIsNotReportedAsIll() throws Exception {
    Steps steps =
        step -> {
          if (step == Steps.Step.TRASHED) {
            whenTrashed.run();
          }
        };
    try (TestState test = new TestState(steps)) {
      Record volume =
          test.state()
              .volumes()
              .create(
                  Record.newBuilder()
                      .setName("one")
                      .setSizeBytes(4096)
                      .setBacking(Backing.DIRECTORY)
                      .setVolume(VolumeDetails.getDefaultInstance())
                      .build(),
                  Files::createDirectory);
      HostpathHealth health =
          new HostpathHealth(
              test.state().volumes(), test.machine().backings(test.state().volumes()));
      whenTrashed = () -> lookMeanwhile(health);

      test.state().volumes().delete(volume);

      assertThat(ill.get(20, TimeUnit.SECONDS)).isEmpty();
    }
  }

  /** Goes on when the other thread has its answer or waits for the deletion. */
  private void lookMeanwhile(HostpathHealth health) {
    Thread looks = new Thread(() -> look(health), "looks");
    looks.start();
    while (!ill.isDone() && looks.getState() != Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }
  }

  private void look(HostpathHealth health) {
    ill.completeAsync(
        () ->
            health
                .controllerListVolumeHealth(
                    ControllerListVolumeHealthRequest.getDefaultInstance(), new FakeCall())
                .getEntriesList(),
        Runnable::run);
  }
}
