package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeHealth;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Conditions in lists, when the health of single volumes can't be told. */
class VolumeConditionsTest {
  private static final class Three extends EveryCapability {
    private final RuntimeException failure;

    Three(RuntimeException failure) {
      this.failure = failure;
    }

    @Override
    public ListVolumesResponse listVolumes(ListVolumesRequest request, CallContext call) {
      ListVolumesResponse.Builder list = ListVolumesResponse.newBuilder();
      for (String id : List.of("vol-1", "vol-2", "vol-3")) {
        list.addEntries(
            ListVolumesResponse.Entry.newBuilder().setVolume(Volume.newBuilder().setVolumeId(id)));
      }
      return list.build();
    }

    @Override
    public ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
        ControllerGetVolumeHealthRequest request, CallContext call) {
      if (request.getVolumeId().equals("vol-2")) {
        throw failure;
      }
      return super.controllerGetVolumeHealth(request, call);
    }
  }

  private static ListVolumesResponse list(RuntimeException failure) {
    // Without attachment: its list of nodes is not what this is about.
    Three three = new Three(failure);
    CsiDriver driver =
        CsiDriver.named("three.example.com")
            .version("1.0.0")
            .controller(c -> c.volumes(three).listing(three).health(three))
            .build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      return ControllerGrpc.newBlockingStub(served.channel())
          .listVolumes(ListVolumesRequest.getDefaultInstance());
    }
  }

  @Test
  void aVolumeThatIsDeletedWhileTheListIsMadeIsLeftOut() {
    assertThat(list(CsiException.notFound("there is no such volume")).getEntriesList())
        .extracting(entry -> entry.getVolume().getVolumeId())
        .containsExactly("vol-1", "vol-3");
  }

  @Test
  void aVolumeWhoseHealthCannotBeFoundOutIsListedAsAbnormal() {
    ListVolumesResponse list = list(CsiException.unavailable("the array is away", null));
    assertThat(list.getEntriesList())
        .extracting(entry -> entry.getStatus().getVolumeCondition().getAbnormal())
        .containsExactly(false, true, false);
    assertThat(list.getEntries(1).getStatus().getVolumeCondition().getMessage())
        .isEqualTo("the health is not known: the array is away");
  }

  /** One broken volume must not keep the attacher from seeing all the others. */
  @Test
  void aHealthHandlerThatFailsByAccidentFailsNoList() {
    assertThat(messageOfTheSecond(new IllegalStateException("a bug of the driver")))
        .startsWith("the health is not known: see the driver's log under call ");
    assertThat(messageOfTheSecond(Status.UNKNOWN.withDescription("gone").asRuntimeException()))
        .isEqualTo("the health is not known: gone");
    assertThat(list(Status.NOT_FOUND.asRuntimeException()).getEntriesCount()).isEqualTo(2);
  }

  private static String messageOfTheSecond(RuntimeException failure) {
    return list(failure).getEntries(1).getStatus().getVolumeCondition().getMessage();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aLongReasonIsCutBetweenTwoCharactersHoweverLongItIs() {
    VolumeHealth.Builder health = VolumeHealth.newBuilder();
    health
        .addHealthStatusesBuilder()
        .setReason("R")
        .setMessage("x" + "\ud83d\ude00".repeat(500_000));
    assertThat(VolumeConditions.condition(health.build()).getMessage())
        .isEqualTo("R: x" + "\ud83d\ude00".repeat(31));
    health.getHealthStatusesBuilder(0).setMessage("a".repeat(126));
    assertThat(VolumeConditions.condition(health.build()).getMessage())
        .isEqualTo("R: " + "a".repeat(125));
  }
}
