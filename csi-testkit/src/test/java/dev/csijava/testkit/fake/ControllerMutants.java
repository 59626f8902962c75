package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.refuseAgain;
import static dev.csijava.testkit.fake.Deviations.reply;
import static dev.csijava.testkit.fake.Deviations.request;

import com.google.protobuf.BoolValue;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityResponse;
import dev.csijava.spec.v1.ProbeResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import io.grpc.Status.Code;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Broken volumes of the controller, and a broken Probe. */
final class ControllerMutants {
  private static final String CREATE = "CreateVolume";
  private static final String DELETE = "DeleteVolume";
  private static final String VALIDATE = "ValidateVolumeCapabilities";

  private ControllerMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.of(
            "IDENT-PROBE-001",
            "has no Probe",
            () -> refuse("Probe", Message.class, r -> true, Code.UNIMPLEMENTED)),
        Mutant.of(
            "IDENT-PROBE-005",
            "is never ready",
            () ->
                reply(
                    "Probe",
                    ProbeResponse.class,
                    r -> r.toBuilder().setReady(BoolValue.of(false)).build())),
        Mutant.of("CTRL-CREATE-002", "gives no name", () -> accept(CREATE, "name is required")),
        Mutant.of(
            "CTRL-CREATE-003",
            "makes a volume for nothing",
            () -> accept(CREATE, "volume_capabilities is required")),
        Mutant.of("CTRL-CREATE-004", "makes a second volume", ControllerMutants::otherId),
        Mutant.of(
            "CTRL-CREATE-006",
            "does not look at the size of what it has",
            () -> accept(CREATE, "does not fit the capacity range")),
        Mutant.of(
            "CTRL-CREATE-007",
            "does not look what a volume was made for",
            () -> accept(CREATE, "was made for other volume capabilities")),
        Mutant.of(
            "CTRL-CREATE-008",
            "forgets parameters",
            () -> accept(CREATE, "was made with other parameters")),
        Mutant.of(
            "CTRL-CREATE-010",
            "forgets the source",
            () -> accept(CREATE, "was made from another source")),
        Mutant.of(
            "CTRL-CREATE-012",
            "has no room for a name of 128 bytes",
            () ->
                refuse(
                    CREATE,
                    CreateVolumeRequest.class,
                    r -> r.getName().length() >= 128,
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "CTRL-CREATE-013",
            "takes ASCII only",
            () ->
                refuse(
                    CREATE,
                    CreateVolumeRequest.class,
                    r -> r.getName().chars().anyMatch(c -> c > 127),
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "CTRL-CREATE-014",
            "takes control characters",
            () -> accept(CREATE, "control character")),
        Mutant.of(
            "CTRL-CREATE-016",
            "makes volumes too small",
            () -> volume(v -> v.setCapacityBytes(v.getCapacityBytes() / 2))),
        Mutant.of(
            "CTRL-CREATE-017",
            "makes volumes too large",
            () -> volume(v -> v.setCapacityBytes(v.getCapacityBytes() + 1))),
        Mutant.of(
            "CTRL-CREATE-019",
            "calls what is too large a wrong argument",
            () -> code(CREATE, Code.OUT_OF_RANGE, Code.INVALID_ARGUMENT)),
        Mutant.of(
            "CTRL-CREATE-020",
            "cuts the end off what it restores",
            () -> accept(CREATE, "is below the")),
        Mutant.of(
            "CTRL-CREATE-024",
            "looks at the first capability only",
            () ->
                request(
                    CREATE,
                    CreateVolumeRequest.class,
                    r ->
                        r.getVolumeCapabilitiesCount() < 2
                            ? r
                            : r.toBuilder()
                                .clearVolumeCapabilities()
                                .addVolumeCapabilities(r.getVolumeCapabilities(0))
                                .build())),
        Mutant.of(
            "CTRL-CREATE-034",
            "calls an unknown snapshot a wrong argument",
            () -> code(CREATE, Code.NOT_FOUND, Code.INVALID_ARGUMENT)),
        Mutant.of(
            "CTRL-CREATE-035",
            "clones unknown volumes",
            () -> accept(CREATE, "there is no volume")),
        Mutant.of(
            "CTRL-CREATE-036", "copies from nowhere", () -> accept(CREATE, "names no source")),
        Mutant.of("CTRL-CREATE-053", "gives no id", () -> volume(v -> v.clearVolumeId())),
        Mutant.of("CTRL-CREATE-056", "changes the context", ControllerMutants::otherContext),
        Mutant.of("CTRL-DELETE-002", "deletes no volume", () -> accept(DELETE, "is required")),
        Mutant.of(
            "CTRL-DELETE-003",
            "fails over an unknown volume",
            () ->
                refuse(
                    DELETE,
                    DeleteVolumeRequest.class,
                    r -> r.getVolumeId().startsWith("no-such"),
                    Code.NOT_FOUND)),
        Mutant.of(
            "CTRL-DELETE-004",
            "deletes once only",
            () ->
                refuseAgain(
                    DELETE,
                    DeleteVolumeRequest.class,
                    DeleteVolumeRequest::getVolumeId,
                    Code.NOT_FOUND)),
        Mutant.of(
            "CTRL-VALIDATE-004",
            "calls an unknown volume a wrong argument",
            () -> code(VALIDATE, Code.NOT_FOUND, Code.INVALID_ARGUMENT)),
        Mutant.of(
            "CTRL-VALIDATE-005",
            "confirms nothing",
            () ->
                reply(
                    VALIDATE,
                    ValidateVolumeCapabilitiesResponse.class,
                    r -> ValidateVolumeCapabilitiesResponse.getDefaultInstance())),
        Mutant.of(
            "CTRL-VALIDATE-007",
            "confirms without a capability",
            () ->
                reply(
                    VALIDATE,
                    ValidateVolumeCapabilitiesResponse.class,
                    r ->
                        r.toBuilder()
                            .setConfirmed(r.getConfirmed().toBuilder().clearVolumeCapabilities())
                            .build())),
        Mutant.of(
            "CTRL-CAPACITY-002",
            "has less than nothing",
            () ->
                reply(
                    "GetCapacity",
                    GetCapacityResponse.class,
                    r -> r.toBuilder().setAvailableCapacity(-1).build())));
  }

  private static Deviation otherId() {
    AtomicInteger next = new AtomicInteger();
    return volume(v -> v.setVolumeId("volume-" + next.incrementAndGet()));
  }

  private static Deviation otherContext() {
    AtomicInteger next = new AtomicInteger();
    return volume(v -> v.putVolumeContext("count", "" + next.incrementAndGet()));
  }

  private static Deviation volume(Consumer<Volume.Builder> change) {
    return reply(
        CREATE,
        CreateVolumeResponse.class,
        r -> {
          Volume.Builder builder = r.getVolume().toBuilder();
          change.accept(builder);
          return r.toBuilder().setVolume(builder).build();
        });
  }
}
