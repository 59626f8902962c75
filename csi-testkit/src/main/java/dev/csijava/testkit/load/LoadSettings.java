package dev.csijava.testkit.load;

import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.testkit.client.CsiRpc;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How much load of which kind.
 *
 * @param work what is repeated
 * @param volumes how many volumes are there while it is measured
 * @param concurrency how many calls are under way at once
 * @param duration how long each driver is measured
 * @param warmUp how long each driver is called before that
 * @param newConnection whether every call gets a connection of its own, as kubelet does it
 * @param size of a volume, in bytes
 * @param capability how volumes are made and used
 * @param parameters of CreateVolume
 * @param secrets by the title of the RPC
 * @param directory where volumes are staged and published, absolute; a new directory for temporary
 *     files without
 * @param callTimeout how long a call may take
 * @since 0.1.0
 */
public record LoadSettings(
    LoadWork work,
    int volumes,
    int concurrency,
    Duration duration,
    Duration warmUp,
    boolean newConnection,
    long size,
    VolumeCapability capability,
    Map<String, String> parameters,
    Map<String, Map<String, String>> secrets,
    Optional<Path> directory,
    Duration callTimeout) {
  /**
   * Checks that they make sense.
   *
   * @throws IllegalArgumentException with a sentence if they do not
   * @since 0.1.0
   */
  public LoadSettings {
    parameters = Map.copyOf(parameters);
    secrets = Map.copyOf(secrets);
    if (volumes < 0 || concurrency < 1) {
      throw new IllegalArgumentException("volumes and concurrency must be positive numbers");
    }
    if (work == LoadWork.PUBLISH && volumes < concurrency) {
      throw new IllegalArgumentException(
          "publish needs a volume for each call at once: at least " + concurrency + " volumes");
    }
    if (work == LoadWork.STATS && volumes < 1) {
      throw new IllegalArgumentException("stats needs a volume");
    }
    if (duration.isNegative() || duration.isZero() || warmUp.isNegative()) {
      throw new IllegalArgumentException("the duration must be more than nothing");
    }
    if (callTimeout.isNegative() || callTimeout.isZero()) {
      throw new IllegalArgumentException("calls must be given some time");
    }
  }

  Map<String, String> secretsOf(CsiRpc rpc) {
    return secrets.getOrDefault(rpc.title(), Map.of());
  }
}
