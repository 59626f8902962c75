package dev.csijava.core.operation;

import com.google.protobuf.Message;
import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.TopologyRequirement;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * Creates at most one object a name (rules K1 and K8): a repeated request finds the object that the
 * first one made, a different request by that name is refused with ALREADY_EXISTS and a sentence
 * that names the field, never its value.
 *
 * <p>Two requests are equal when their normalised forms are ({@link CreateRequests}), secrets
 * aside. Besides, a volume's request matches where the volume satisfies it now: its present size
 * fits the new {@code capacity_range}, and it is reachable as the new {@code
 * accessibility_requirements} ask, or they are absent. A snapshot's topology is treated alike.
 *
 * <p>The object found is as the store has it now. The driver answers with its id, creation time,
 * content source and context unchanged, and works out anew what changes: the size, whether a
 * snapshot is ready.
 *
 * <p>Holds no lock: the framework holds the name's while a create handler runs, from this check to
 * the handler's commit. Safe for use by several threads.
 *
 * @param <R> the create request
 * @param <O> what the driver makes
 * @since 0.1.0
 */
public final class IdempotentCreate<R extends Message, O> {
  private final String kind;
  private final CreateRecords<R, O> records;
  private final Function<R, String> nameOf;
  private final UnaryOperator<R> normalise;
  private final Match<R, O> match;

  private IdempotentCreate(
      String kind,
      CreateRecords<R, O> records,
      Function<R, String> nameOf,
      UnaryOperator<R> normalise,
      Match<R, O> match) {
    this.kind = kind;
    this.records = records;
    this.nameOf = nameOf;
    this.normalise = normalise;
    this.match = match;
  }

  /**
   * For CreateVolume.
   *
   * @param records where volumes are found by name
   * @param sizeBytes a volume's present size in bytes
   * @param reachable whether a volume satisfies the requirements as it is; {@code (volume,
   *     requirements) -> true} for a driver without topology
   * @since 0.1.0
   */
  public static <O> IdempotentCreate<CreateVolumeRequest, O> ofVolumes(
      CreateRecords<CreateVolumeRequest, O> records,
      ToLongFunction<O> sizeBytes,
      BiPredicate<O, TopologyRequirement> reachable) {
    return new IdempotentCreate<>(
        "volume",
        records,
        CreateVolumeRequest::getName,
        CreateRequests::normalise,
        (wanted, recorded, volume) ->
            matchVolume(wanted, recorded, sizeBytes.applyAsLong(volume), volume, reachable));
  }

  /**
   * For CreateSnapshot.
   *
   * @param records where snapshots are found by name
   * @param reachable whether a snapshot satisfies the requirements as it is; {@code (snapshot,
   *     requirements) -> true} for a driver without topology
   * @since 0.1.0
   */
  public static <O> IdempotentCreate<CreateSnapshotRequest, O> ofSnapshots(
      CreateRecords<CreateSnapshotRequest, O> records,
      BiPredicate<O, TopologyRequirement> reachable) {
    return new IdempotentCreate<>(
        "snapshot",
        records,
        CreateSnapshotRequest::getName,
        CreateRequests::normalise,
        (wanted, recorded, snapshot) -> matchSnapshot(wanted, recorded, snapshot, reachable));
  }

  /**
   * For CreateVolumeGroupSnapshot.
   *
   * @param records where group snapshots are found by name
   * @since 0.1.0
   */
  public static <O> IdempotentCreate<CreateVolumeGroupSnapshotRequest, O> ofGroupSnapshots(
      CreateRecords<CreateVolumeGroupSnapshotRequest, O> records) {
    return new IdempotentCreate<>(
        "group snapshot",
        records,
        CreateVolumeGroupSnapshotRequest::getName,
        CreateRequests::normalise,
        (wanted, recorded, group) -> wanted);
  }

  /**
   * What an equal request made, or empty if the name is free.
   *
   * @throws CsiException ALREADY_EXISTS if another request made it; INVALID_ARGUMENT for a capacity
   *     range that makes no sense
   * @since 0.1.0
   */
  public Optional<O> find(R request) {
    return findNormalised(normalise.apply(request));
  }

  /**
   * What an equal request made, or else what {@code make} makes now. It gets the normalised request
   * and commits it together with the object, so that {@link CreateRecords} finds both from then on,
   * before it returns; if it throws, it has left nothing behind or can take up its own work again.
   *
   * @throws CsiException as {@link #find}, and what {@code make} throws
   * @since 0.1.0
   */
  public O findOrCreate(R request, Function<R, O> make) {
    R normalised = normalise.apply(request);
    return findNormalised(normalised).orElseGet(() -> make.apply(normalised));
  }

  private Optional<O> findNormalised(R wanted) {
    String name = nameOf.apply(wanted);
    return records
        .findByName(name)
        .map(
            made -> {
              // Once more, since an older version of this library may have written it.
              R recorded = normalise.apply(made.request());
              R adjusted = match.adjust(wanted, recorded, made.object());
              FieldDifference.first(adjusted, recorded)
                  .ifPresent(
                      field -> {
                        throw CsiException.alreadyExists(
                            "a %s named %s exists, made from another request: %s differs"
                                .formatted(kind, name, field));
                      });
              return made.object();
            });
  }

  private static <O> CreateVolumeRequest matchVolume(
      CreateVolumeRequest wanted,
      CreateVolumeRequest recorded,
      long sizeBytes,
      O volume,
      BiPredicate<O, TopologyRequirement> reachable) {
    CreateVolumeRequest.Builder adjusted = wanted.toBuilder();
    if (!range(wanted).equals(range(recorded))
        && !CapacityPlanner.fits(sizeBytes, range(wanted).orElse(null))) {
      throw CsiException.alreadyExists(
          "a volume named %s exists, and its %d bytes do not fit capacity_range"
              .formatted(wanted.getName(), sizeBytes));
    }
    if (recorded.hasCapacityRange()) {
      adjusted.setCapacityRange(recorded.getCapacityRange());
    } else {
      adjusted.clearCapacityRange();
    }
    if (!wanted.hasAccessibilityRequirements()
        || reachable.test(volume, wanted.getAccessibilityRequirements())) {
      if (recorded.hasAccessibilityRequirements()) {
        adjusted.setAccessibilityRequirements(recorded.getAccessibilityRequirements());
      } else {
        adjusted.clearAccessibilityRequirements();
      }
    }
    return adjusted.build();
  }

  private static <O> CreateSnapshotRequest matchSnapshot(
      CreateSnapshotRequest wanted,
      CreateSnapshotRequest recorded,
      O snapshot,
      BiPredicate<O, TopologyRequirement> reachable) {
    if (wanted.hasAccessibilityRequirements()
        && !reachable.test(snapshot, wanted.getAccessibilityRequirements())) {
      return wanted;
    }
    CreateSnapshotRequest.Builder adjusted = wanted.toBuilder();
    if (recorded.hasAccessibilityRequirements()) {
      adjusted.setAccessibilityRequirements(recorded.getAccessibilityRequirements());
    } else {
      adjusted.clearAccessibilityRequirements();
    }
    return adjusted.build();
  }

  private static Optional<CapacityRange> range(CreateVolumeRequest request) {
    return request.hasCapacityRange() ? Optional.of(request.getCapacityRange()) : Optional.empty();
  }

  /** What is asked for now, with what the object satisfies replaced by what was asked for then. */
  private interface Match<R, O> {
    R adjust(R wanted, R recorded, O object);
  }
}
