package dev.csijava.hostpath.capacity;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.controller.HostpathCapacity;
import dev.csijava.hostpath.controller.HostpathVolumes;
import dev.csijava.hostpath.controller.VolumePolicy;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.Policies;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.Volume;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PromisesTest {
  private static final FakeCall CALL = new FakeCall();
  private static final VolumeSizes SIZES = new VolumeSizes(80, 80);
  private static final Map<String, Long> CAPACITIES = Map.of("fast", 100L, "slow", 50L);

  private final TestState test = new TestState();
  private final NodeTopology topology = new NodeTopology("node-1");
  private VolumePolicy policy = Policies.of(test.state(), SIZES, CAPACITIES);

  @AfterEach
  void close() {
    test.close();
  }

  private HostpathVolumes volumes() {
    return new HostpathVolumes(test.state(), test.data(80), test.uses(), policy, topology);
  }

  private static CreateVolumeRequest.Builder of(String name, long bytes, String kind) {
    CreateVolumeRequest.Builder request =
        Requests.create(name).setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes));
    return kind.isEmpty() ? request : request.putParameters("kind", kind);
  }

  private Volume create(String name, long bytes, String kind) {
    return volumes().createVolume(of(name, bytes, kind).build(), CALL).getVolume();
  }

  private long available(Map<String, String> parameters) {
    return new HostpathCapacity(() -> 7, SIZES, topology, policy.promises())
        .getCapacity(GetCapacityRequest.newBuilder().putAllParameters(parameters).build(), CALL)
        .getAvailableCapacity();
  }

  private long available(String kind) {
    return available(Map.of("kind", kind));
  }

  @Test
  void b099RoomIsTheLeftOfTheKindAndNeverMoreThanTheLargestVolume() {
    assertThat(available("fast")).isEqualTo(80);
    assertThat(available("slow")).isEqualTo(50);

    create("one", 60, "fast");

    assertThat(available("fast")).isEqualTo(40);
    assertThat(available(Map.of())).as("in one volume of any kind").isEqualTo(50);
    assertThat(available("none")).as("a kind that nobody configured").isZero();
    assertThat(available(Map.of("kind", "slow", "csi.storage.k8s.io/fstype", "xfs", "x", "y")))
        .as("what is unknown is not refused")
        .isEqualTo(50);
  }

  @Test
  void b097MoreThanThereIsCantBeMadeAndLeavesNothing() {
    create("one", 60, "fast");

    assertFails(Status.Code.RESOURCE_EXHAUSTED, () -> create("two", 41, "fast"));
    assertFails(Status.Code.RESOURCE_EXHAUSTED, () -> create("two", 1, "none"));
    assertFails(Status.Code.OUT_OF_RANGE, () -> create("two", 81, "fast"));
    assertThat(test.names("volumes")).hasSize(1);
    assertThat(available("fast")).isEqualTo(40);
    create("two", 40, "fast");
    assertThat(available("fast")).isZero();
  }

  /** ControllerModifyVolume goes beside an expansion of the same volume. */
  @Test
  void theRoomOfAGrowthStaysTakenWhileSomethingElseOfTheVolumeChanges() {
    String id = create("one", 60, "fast").getVolumeId();
    Record volume = test.state().volumes().byId(id).orElseThrow();

    try (Promises.Reservation room = policy.promises().grow(volume, 90)) {
      assertThat(room.kind()).isEqualTo("fast");
      test.state().volumes().update(id, PromisesTest::withAnAttribute);

      assertThat(available("fast")).isEqualTo(10);
    }
    assertThat(available("fast")).isEqualTo(40);
  }

  private static Record withAnAttribute(Record volume) {
    Record.Builder changed = volume.toBuilder();
    changed.getVolumeBuilder().putAttributes("iops", "100");
    return changed.build();
  }

  @Test
  void withoutAKindTheFirstThatHasRoomIsTakenAndStays() {
    Volume one = create("one", 80, "");
    create("two", 50, "");

    assertThat(kind(one)).isEqualTo("fast");
    assertThat(available("fast")).isEqualTo(20);
    assertThat(available("slow")).isZero();
    assertThat(create("one", 80, "")).as("a repeat is no second promise").isEqualTo(one);
    assertThat(available("fast")).isEqualTo(20);
  }

  private String kind(Volume volume) {
    return test.state()
        .volumes()
        .byId(volume.getVolumeId())
        .orElseThrow()
        .getVolume()
        .getCapacityKind();
  }

  @Test
  void promisesAreCountedAfterARestartAndGivenBackByADelete() {
    Volume one = create("one", 60, "fast");
    test.restart();
    policy = Policies.of(test.state(), SIZES, CAPACITIES);

    assertThat(available("fast")).isEqualTo(40);
    volumes()
        .deleteVolume(
            DeleteVolumeRequest.newBuilder().setVolumeId(one.getVolumeId()).build(), CALL);
    assertThat(available("fast")).isEqualTo(80);
  }

  @Test
  void aCreateThatFailsGivesItsRoomBack() {
    test.disk().failAt(0, "Input/output error");
    assertFails(Status.Code.INTERNAL, () -> create("one", 60, "fast"));
    test.disk().heal();

    assertThat(policy.promises().free("fast")).isEqualTo(100);
  }

  /** The Go driver does not count an expansion, and its GetCapacity gets negative. */
  @Test
  void anExpansionIsCountedAndRoomIsNeverNegative() {
    Volume made = create("one", 60, "fast");
    Record record = test.state().volumes().byId(made.getVolumeId()).orElseThrow();

    assertFails(Status.Code.OUT_OF_RANGE, () -> policy.promises().grow(record, 101).close());
    try (Promises.Reservation room = policy.promises().grow(record, 100)) {
      assertThat(room.kind()).isEqualTo("fast");
      assertThat(policy.promises().free("fast")).isZero();
      test.state().volumes().update(record.getId(), r -> r.toBuilder().setSizeBytes(100).build());
    }
    assertThat(policy.promises().free("fast")).isZero();
    policy = Policies.of(test.state(), SIZES, Map.of("fast", 10L));
    assertThat(available("fast")).isZero();
  }

  @Test
  void callsSideBySideNeverPromiseMoreThanThereIs() throws Exception {
    List<Callable<Boolean>> calls =
        IntStream.range(0, 40)
            .<Callable<Boolean>>mapToObj(
                i ->
                    () -> {
                      try {
                        create("v" + i, 10, "fast");
                        return true;
                      } catch (CsiException e) {
                        assertThat(e.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
                        return false;
                      }
                    })
            .toList();
    int made = 0;
    try (var pool = Executors.newFixedThreadPool(8)) {
      for (Future<Boolean> result : pool.invokeAll(calls)) {
        made += result.get() ? 1 : 0;
      }
    }

    assertThat(made).as("all of the room is used, and no more").isEqualTo(10);
  }

  @Test
  void withoutCapacitiesAKindIsRefusedAndRoomIsThatOfTheDisk() {
    policy = Policies.of(test.state(), SIZES);

    assertFails(Status.Code.INVALID_ARGUMENT, () -> create("one", 1, "fast"));
    assertThat(available(Map.of())).isEqualTo(7);
    create("one", 60, "");
    assertThat(kind(create("two", 70, ""))).isEmpty();
  }
}
