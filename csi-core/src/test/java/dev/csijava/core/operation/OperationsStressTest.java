package dev.csijava.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.csijava.core.CsiException;
import dev.csijava.core.Proves;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Random calls on few keys from many threads, against a model of who may run beside whom. */
class OperationsStressTest {
  private static final int THREADS = 8;
  private static final int CALLS = 1_500;
  private static final int KEYS = 6;

  /** Per key: -1 while held exclusively, else how many share it. */
  private final Map<LockKey, AtomicInteger> holders = new ConcurrentHashMap<>();

  private final AtomicInteger violations = new AtomicInteger();
  private final AtomicInteger outcomes = new AtomicInteger();
  private final AtomicInteger aborted = new AtomicInteger();
  private final AtomicInteger executed = new AtomicInteger();

  @Test
  @Proves("GEN-CONC-001")
  void b071RandomCallsNeverBreakMutualExclusionAndEveryCallIsAnsweredOnce() throws Exception {
    Operations operations =
        new Operations(OperationSettings.defaults().withLockWait(Duration.ofMillis(1)));
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        long seed = 42L + i;
        running.add(threads.submit(() -> calls(operations, new Random(seed))));
      }
      for (Future<?> future : running) {
        future.get(Calls.SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(violations).hasValue(0);
    assertThat(outcomes).hasValue(THREADS * CALLS);
    assertThat(executed.get()).isPositive();
    assertThat(executed.get() + aborted.get()).isLessThanOrEqualTo(THREADS * CALLS);
    assertThat(operations.size()).isZero();
    assertThat(holders.values()).allMatch(count -> count.get() == 0);
    operations.close();
  }

  private void calls(Operations operations, Random random) {
    for (int i = 0; i < CALLS; i++) {
      OperationKeys.Builder builder = new OperationKeys.Builder("Random");
      StringBuilder name = new StringBuilder();
      for (int k = random.nextInt(3); k >= 0; k--) {
        int key = random.nextInt(KEYS);
        boolean exclusive = random.nextInt(3) == 0;
        name.append(key).append(exclusive ? 'x' : 's');
        if (exclusive) {
          builder.exclusive(LockKey.Facet.VOLUME_DATA, "v" + key);
        } else {
          builder.shared(LockKey.Facet.VOLUME_DATA, "v" + key);
        }
      }
      OperationKeys keys = builder.build();
      int pause = random.nextInt(2_000);
      boolean fails = random.nextInt(10) == 0;
      Message request = DeleteVolumeRequest.newBuilder().setVolumeId(name.toString()).build();
      operations.run(keys, Fingerprint.of(request), () -> work(keys, pause, fails), new Counting());
    }
  }

  private String work(OperationKeys keys, int pause, boolean fails) {
    executed.incrementAndGet();
    keys.exclusive().forEach(this::take);
    for (int i = 0; i < pause; i++) {
      Thread.onSpinWait();
    }
    keys.exclusive().forEach(this::giveBack);
    if (fails) {
      throw CsiException.internal("by chance", null);
    }
    return "OK";
  }

  private void take(LockKey key, boolean exclusive) {
    AtomicInteger count = holders.computeIfAbsent(key, k -> new AtomicInteger());
    boolean allowed = exclusive ? count.compareAndSet(0, -1) : count.incrementAndGet() > 0;
    if (!allowed) {
      violations.incrementAndGet();
    }
  }

  private void giveBack(LockKey key, boolean exclusive) {
    AtomicInteger count = holders.computeIfAbsent(key, k -> new AtomicInteger());
    boolean untouched = exclusive ? count.compareAndSet(-1, 0) : count.getAndDecrement() > 0;
    if (!untouched) {
      violations.incrementAndGet();
    }
  }

  private final class Counting implements Completion<String> {
    @Override
    public void succeeded(String response) {
      outcomes.incrementAndGet();
    }

    @Override
    public void failed(Throwable failure) {
      outcomes.incrementAndGet();
      if (failure instanceof CsiException e && e.code() == Status.Code.ABORTED) {
        aborted.incrementAndGet();
      }
    }
  }
}
