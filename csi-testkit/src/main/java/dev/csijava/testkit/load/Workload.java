package dev.csijava.testkit.load;

import dev.csijava.testkit.client.CsiRpc;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The work on one driver: what is made before, and what is repeated. */
final class Workload {
  /** So that a driver that refuses everything is not asked a million times. */
  private static final long PAUSE_AFTER_FAILURE_MILLIS = 10;

  private final LoadDriver driver;
  private final LoadWork work;
  private final Queue<LoadVolume> free = new ConcurrentLinkedQueue<>();
  private final AtomicInteger next = new AtomicInteger();
  private volatile List<LoadVolume> ready = List.of();

  Workload(LoadDriver driver) {
    this.driver = driver;
    this.work = driver.settings().work();
  }

  LoadDriver driver() {
    return driver;
  }

  /** One of the volumes that must be there before. */
  void prepareOne() {
    LoadVolume volume = driver.newVolume();
    volume.create();
    if (work == LoadWork.PUBLISH || work == LoadWork.STATS) {
      volume.attachAndStage();
    }
    if (work == LoadWork.STATS) {
      volume.publish();
    }
    free.add(volume);
  }

  void prepared() {
    ready = List.copyOf(free);
  }

  /** Does the work once; failures are counted where calls are measured. */
  void once() throws InterruptedException {
    try {
      switch (work) {
        case PROBE -> driver.measures().call(CsiRpc.PROBE, CsiRpc.PROBE.emptyRequest());
        case STATS -> ready.get(Math.floorMod(next.getAndIncrement(), ready.size())).stats();
        case PUBLISH -> publish();
        case CREATE -> {
          LoadVolume volume = driver.newVolume();
          volume.create();
          volume.remove();
        }
        case MIXED -> life();
      }
    } catch (StatusRuntimeException refused) {
      Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
    }
  }

  private void publish() throws InterruptedException {
    LoadVolume volume = free.poll();
    if (volume == null) { // each of them was lost to a failed call
      Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
      return;
    }
    try {
      volume.publish();
    } finally {
      volume.unpublish(); // also after a refusal: the outcome of some is unknown
      free.add(volume);
    }
  }

  private void life() {
    LoadVolume volume = driver.newVolume();
    volume.create();
    volume.attachAndStage();
    volume.publish();
    if (driver.hasStats()) {
      volume.stats();
    }
    volume.remove();
  }
}
