package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.CreateVolumeCases.createVolume;
import static dev.csijava.testkit.conformance.CreateVolumeCases.volume;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeContentSource;
import java.util.List;
import java.util.Optional;

/** CreateVolume from a snapshot or from a volume. */
final class CreateVolumeSourceCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "restore-snapshot",
            "A volume made from a snapshot holds the data of the cut",
            CreateVolumeSourceCases::restore,
            "CTRL-CREATE-030",
            "CTRL-CAPS-004",
            "CTRL-CREATE-038"),
        Case.of(
            "clone-volume",
            "A volume made from a volume holds its data",
            CreateVolumeSourceCases::copy,
            "CTRL-CREATE-031",
            "CTRL-CAPS-005",
            "CTRL-CREATE-038"),
        Case.of(
            "CTRL-CREATE-034",
            c ->
                c.refused(
                    () ->
                        createVolume(c, from(c, Requests.fromSnapshot(c.requests().unknownId()))))),
        Case.of(
            "CTRL-CREATE-035",
            c ->
                c.refused(
                    () -> createVolume(c, from(c, Requests.fromVolume(c.requests().unknownId()))))),
        Case.of(
            "CTRL-CREATE-036",
            c ->
                c.refused(
                    () -> createVolume(c, from(c, VolumeContentSource.getDefaultInstance())))),
        Case.of(
            "CTRL-CREATE-037",
            c -> {
              c.refused(() -> createVolume(c, from(c, Requests.fromSnapshot(""))));
              c.refused(() -> createVolume(c, from(c, Requests.fromVolume(""))));
            }),
        Case.of(
            "CTRL-CREATE-032",
            c -> {
              boolean restores = c.advertises("ctrl:CREATE_DELETE_SNAPSHOT");
              boolean clones = c.advertises("ctrl:CLONE_VOLUME");
              c.need(!restores || !clones, "the driver supports both kinds of source");
              if (!clones) {
                Volume source = c.make().volume();
                c.refused(
                    () -> createVolume(c, from(c, Requests.fromVolume(source.getVolumeId()))));
              }
              if (!restores) {
                c.refused(
                    () ->
                        createVolume(c, from(c, Requests.fromSnapshot(c.requests().unknownId()))));
              }
            }),
        Case.of(
            "CTRL-CREATE-020",
            c -> {
              Source source = source(c);
              long half = Math.max(1, source.bytes() / 2);
              c.refused(
                  () ->
                      createVolume(
                          c,
                          from(c, source.content()).setCapacityRange(Requests.range(half, half))));
            }),
        Case.of(
            "create-volume-larger-than-source",
            "A volume larger than its source is refused, or has both the size and the data",
            CreateVolumeSourceCases::larger,
            "CTRL-CREATE-021",
            "CTRL-CREATE-018",
            "CTRL-CREATE-022"));
  }

  private record Source(VolumeContentSource content, long bytes) {}

  /** A snapshot, or a volume where the driver has no snapshots, that holds the marker. */
  private static Source source(CaseContext c) {
    Volume volume = c.make().volume();
    long size = Math.max(volume.getCapacityBytes(), c.settings().size());
    if (c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      Content.write(c, volume);
      Snapshot snapshot = c.make().snapshot(volume);
      long bytes = snapshot.getSizeBytes() == 0 ? size : snapshot.getSizeBytes();
      return new Source(Requests.fromSnapshot(snapshot.getSnapshotId()), bytes);
    }
    c.needs("ctrl:CLONE_VOLUME");
    Content.write(c, volume);
    return new Source(Requests.fromVolume(volume.getVolumeId()), size);
  }

  private static void restore(CaseContext c) {
    Volume volume = c.make().volume();
    Content.write(c, volume);
    Snapshot snapshot = c.make().snapshot(volume);
    Content.overwrite(c, volume);
    VolumeContentSource source = Requests.fromSnapshot(snapshot.getSnapshotId());
    Outcome<Volume> outcome = Outcome.of(() -> createVolume(c, from(c, source)));
    c.check("CTRL-CREATE-030", outcome.ok(), "a volume made from a snapshot", outcome);
    Volume restored = c.ok("CTRL-CAPS-004", outcome);
    ofItsOwn(c, "CTRL-CREATE-030", volume, restored);
    data(c, "CTRL-CREATE-030", restored);
    named(c, source, restored);
  }

  private static void ofItsOwn(CaseContext c, String row, Volume source, Volume copy) {
    c.check(
        row,
        !copy.getVolumeId().isEmpty() && !copy.getVolumeId().equals(source.getVolumeId()),
        "a volume of its own",
        copy.getVolumeId());
  }

  private static void named(CaseContext c, VolumeContentSource source, Volume copy) {
    boolean named = copy.getContentSource().equals(source);
    c.check(
        "CTRL-CREATE-038",
        named || !copy.hasContentSource(),
        "the source as content_source",
        copy.getContentSource());
    if (!named) {
      c.note("CTRL-CREATE-038", "content_source is left out: the provisioner deletes such volumes");
    }
  }

  private static void copy(CaseContext c) {
    Volume volume = c.make().volume();
    Content.write(c, volume);
    VolumeContentSource source = Requests.fromVolume(volume.getVolumeId());
    Outcome<Volume> outcome = Outcome.of(() -> createVolume(c, from(c, source)));
    c.check("CTRL-CREATE-031", outcome.ok(), "a volume made from a volume", outcome);
    Volume copy = c.ok("CTRL-CAPS-005", outcome);
    ofItsOwn(c, "CTRL-CREATE-031", volume, copy);
    data(c, "CTRL-CREATE-031", copy);
    named(c, source, copy);
  }

  private static void larger(CaseContext c) {
    Source source = source(c);
    long wanted = Math.max(c.settings().expandSize(), source.bytes() * 2);
    Outcome<Volume> outcome =
        c.answers(
            "CTRL-CREATE-021",
            () ->
                createVolume(
                    c,
                    from(c, source.content())
                        .setCapacityRange(Requests.range(wanted, wanted * 2))));
    c.need(outcome.ok(), "the driver makes nothing larger than the source");
    long size = outcome.answer().getCapacityBytes();
    c.check(
        "CTRL-CREATE-018",
        size == 0 || (size >= wanted && size <= wanted * 2),
        wanted + " to " + wanted * 2 + " bytes",
        size);
    data(c, "CTRL-CREATE-021", outcome.answer());
    Optional<Long> total = Content.fileSystemSize(c, outcome.answer());
    if (total.isEmpty()) {
      c.skip("CTRL-CREATE-022", "the file system can't be seen from here");
    } else {
      c.check(
          "CTRL-CREATE-022",
          total.get() >= wanted / 10 * 8,
          "a file system of about " + wanted + " bytes",
          total.get() + " bytes");
    }
  }

  /** The volume holds the marker, as far as the kit can look into it. */
  private static void data(CaseContext c, String row, Volume volume) {
    Optional<Boolean> holds = Content.holdsMarker(c, volume);
    if (holds.isEmpty()) {
      c.note(row, "the data could not be looked at from here");
    }
    c.check(row, holds.orElse(true), "the data of the source", "other data, or none");
  }

  private static CreateVolumeRequest.Builder from(CaseContext c, VolumeContentSource source) {
    return volume(c).setVolumeContentSource(source);
  }
}
