package dev.csijava.hostpath.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.FakeDisk;
import dev.csijava.hostpath.testing.FakeKernel;
import dev.csijava.hostpath.testing.TestState;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Creates wait for the disk, and not for each other. */
class CreatesAtOnceTest {
  private static final int CALLERS = 8;

  @Test
  void eachStepOnDiskIsTakenByAllCallersAtOnce()
      throws IOException, InterruptedException, ExecutionException {
    try (FileSystem files =
            Jimfs.newFileSystem(
                Configuration.unix().toBuilder().setAttributeViews("posix", "unix").build());
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      MeetingDisk disk = new MeetingDisk();
      try (StateDirectory state =
          StateDirectory.open(
              files.getPath("/state"), disk, new FakeKernel(), Steps.NONE, TestState.clock())) {
        disk.open = true;
        List<Future<Record>> made = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          Record draft = draft("volume-" + i);
          made.add(callers.submit(() -> state.volumes().create(draft, Files::createDirectory)));
        }
        for (Future<Record> one : made) {
          one.get();
        }
        assertThat(state.volumes().size()).isEqualTo(CALLERS);
        assertThat(disk.meetings).as("write, sync, rename and sync").hasValue(4);
      }
    }
  }

  private static Record draft(String name) {
    return Record.newBuilder()
        .setName(name)
        .setSizeBytes(1024)
        .setBacking(Backing.DIRECTORY)
        .setVolume(VolumeDetails.getDefaultInstance())
        .build();
  }

  /** Nobody goes on before all callers have come. */
  private static final class MeetingDisk implements Disk {
    private final FakeDisk disk = new FakeDisk();
    private final AtomicInteger meetings = new AtomicInteger();
    private final CyclicBarrier all = new CyclicBarrier(CALLERS, meetings::incrementAndGet);
    private volatile boolean open;

    @Override
    public void write(Path file, byte[] content) throws IOException {
      meet();
      disk.write(file, content);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
      meet();
      disk.syncFolder(folder);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      meet();
      disk.rename(from, to);
    }

    private void meet() throws IOException {
      if (!open) {
        return;
      }
      try {
        all.await(10, TimeUnit.SECONDS);
      } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
        throw new IOException("a caller waits for another one, outside of the disk", e);
      }
    }
  }
}
