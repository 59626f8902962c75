package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;
import java.util.Map;

/** CreateVolume: fields, names, capabilities, parameters and the answer. */
final class CreateVolumeCases implements CaseGroup {
  private static final String MADE_UP = "csi-testkit-made-up-key";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("CTRL-CREATE-002", c -> c.refused(() -> createVolume(c, volume(c).setName("")))),
        Case.of(
            "CTRL-CREATE-003",
            c -> c.refused(() -> createVolume(c, volume(c).clearVolumeCapabilities()))),
        Case.of(
            "create-volume",
            "A volume is created, and its answer is complete",
            CreateVolumeCases::answer,
            "CTRL-CREATE-001",
            "CTRL-CREATE-053",
            "CTRL-CREATE-054",
            "CTRL-CREATE-055",
            "CTRL-CREATE-016"),
        Case.of(
            "CTRL-CREATE-012",
            c -> c.ok(() -> createVolume(c, volume(c).setName(Texts.filled(c.name(), 128))))),
        Case.of(
            "CTRL-CREATE-013",
            c -> {
              for (String odd : Texts.ALLOWED) {
                c.ok(() -> createVolume(c, volume(c).setName(Texts.fitted(c.name() + odd))));
              }
            }),
        Case.of(
            "CTRL-CREATE-014",
            c -> {
              for (String banned : Texts.BANNED) {
                c.refused(() -> createVolume(c, volume(c).setName(c.name() + banned + "x")));
              }
            }),
        Case.of(
            "CTRL-CREATE-015", c -> c.ok(() -> createVolume(c, volume(c).clearCapacityRange()))),
        Case.of("CTRL-CREATE-023", CreateVolumeCases::severalCapabilities),
        Case.of("CTRL-CREATE-024", CreateVolumeCases::oneUnsupported),
        Case.of(
            "CTRL-CREATE-025",
            c -> {
              Outcome<Volume> outcome =
                  Outcome.of(() -> createVolume(c, volume(c).putParameters(MADE_UP, "value")));
              c.need(!outcome.ok(), "the driver takes any parameter");
              c.judge("CTRL-CREATE-025", outcome, false);
            }),
        Case.of(
            "CTRL-CREATE-028",
            c -> c.refused(() -> createVolume(c, volume(c).putMutableParams(MADE_UP, "value")))),
        Case.of(
            "CTRL-CREATE-029",
            c ->
                c.refusedOrIgnored(
                    "mutable_parameters",
                    () -> createVolume(c, volume(c).putMutableParams(MADE_UP, "value")))),
        Case.of(
            "CTRL-CREATE-027",
            c -> {
              Map<String, String> mutable = mutable(c);
              c.ok(() -> createVolume(c, volume(c).putAllMutableParams(mutable)));
            }),
        Case.of(
            "CTRL-CREATE-026",
            c -> {
              Map<String, String> mutable = mutable(c);
              String key = mutable.keySet().iterator().next();
              Outcome<Volume> plain =
                  Outcome.of(() -> createVolume(c, volume(c).putParameters(key, mutable.get(key))));
              c.need(plain.ok(), "the driver takes " + key + " as a mutable parameter only");
              // What is valid only as a mutable value must not be overruled by the other.
              c.ok(
                  () ->
                      createVolume(
                          c,
                          volume(c)
                              .putParameters(key, "csi-testkit-overruled")
                              .putAllMutableParams(mutable)));
            }),
        Case.of("CTRL-CREATE-058", CreateVolumeCases::idAlone));
  }

  private static Map<String, String> mutable(CaseContext c) {
    Map<String, String> mutable = c.settings().mutableParameters();
    c.need(!mutable.isEmpty(), "--mutable-parameters is not given");
    return mutable;
  }

  private static void answer(CaseContext c) {
    Volume first = c.ok("CTRL-CREATE-001", () -> createVolume(c, volume(c)));
    Volume second = c.ok("CTRL-CREATE-001", () -> createVolume(c, volume(c)));
    c.check("CTRL-CREATE-053", !first.getVolumeId().isEmpty(), "an id", "an empty volume_id");
    c.check(
        "CTRL-CREATE-054",
        !first.getVolumeId().equals(second.getVolumeId()),
        "an id of its own for each volume",
        first.getVolumeId() + " twice");
    long size = first.getCapacityBytes();
    c.check("CTRL-CREATE-055", size >= 0, "no negative capacity", size);
    c.check(
        "CTRL-CREATE-016",
        size == 0 || size >= c.settings().size(),
        "at least " + c.settings().size() + " bytes, or unknown",
        size);
  }

  private static void severalCapabilities(CaseContext c) {
    VolumeCapability writer = c.requests().capability(Mode.SINGLE_NODE_WRITER);
    VolumeCapability readers = c.requests().capability(Mode.MULTI_NODE_READER_ONLY);
    Outcome<Volume> made =
        Outcome.of(
            () ->
                createVolume(
                    c,
                    volume(c)
                        .clearVolumeCapabilities()
                        .addVolumeCapabilities(writer)
                        .addVolumeCapabilities(readers)));
    c.need(made.ok(), "the driver has no volumes with two access modes (" + made + ")");
    for (VolumeCapability each : List.of(writer, readers)) {
      boolean confirmed = ValidateCases.validate(c, made.answer(), each).hasConfirmed();
      c.check(confirmed, "confirmed: " + each, "not confirmed");
    }
  }

  private static void oneUnsupported(CaseContext c) {
    VolumeCapability good = c.requests().capability();
    VolumeCapability bad = Unsupported.find(c);
    String name = c.name();
    c.refused(
        () ->
            createVolume(
                c,
                volume(c)
                    .setName(name)
                    .clearVolumeCapabilities()
                    .addVolumeCapabilities(good)
                    .addVolumeCapabilities(bad)));
    // Nothing was provisioned, so the name is free for another volume.
    Outcome<Volume> again =
        Outcome.of(
            () ->
                createVolume(
                    c,
                    volume(c)
                        .setName(name)
                        .setCapacityRange(Requests.atLeast(c.settings().expandSize()))));
    c.check(again.ok(), "a name that is free after the refusal", again);
  }

  private static void idAlone(CaseContext c) {
    Volume volume = c.make().volume();
    c.ok(
        () ->
            ValidateCases.validate(
                c, volume.toBuilder().clearVolumeContext().build(), c.requests().capability()));
  }

  static CreateVolumeRequest.Builder volume(CaseContext c) {
    return c.requests().volume();
  }

  static Volume createVolume(CaseContext c, CreateVolumeRequest.Builder request) {
    return c.controller().createVolume(request.build()).getVolume();
  }
}
