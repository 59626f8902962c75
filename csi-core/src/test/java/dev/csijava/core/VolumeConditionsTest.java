package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Volume;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Conditions in lists, when the health of single volumes can't be told. */
class VolumeConditionsTest {
  private static final class Three extends EveryCapability {
    private final CsiException failure;

    Three(CsiException failure) {
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

  private static ListVolumesResponse list(CsiException failure) {
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
}
