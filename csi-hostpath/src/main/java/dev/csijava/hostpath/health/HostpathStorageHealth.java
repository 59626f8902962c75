package dev.csijava.hostpath.health;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.health.StorageHealth;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage.Amount;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import dev.csijava.spec.v1.StorageHealthErrorType;
import java.nio.file.Path;
import java.util.Optional;

/** Health of the file system that holds the state directory, and with it all volumes. */
public final class HostpathStorageHealth implements StorageHealth {
  private final UsageReader usage;
  private final Path stateDirectory;

  /**
   * @param stateDirectory absolute
   */
  public HostpathStorageHealth(UsageReader usage, Path stateDirectory) {
    this.usage = usage;
    this.stateDirectory = stateDirectory;
  }

  @Override
  public NodeGetStorageHealthResponse nodeGetStorageHealth(
      NodeGetStorageHealthRequest request, CallContext call) {
    NodeGetStorageHealthResponse.Builder response = NodeGetStorageHealthResponse.newBuilder();
    fault().ifPresent(response::addBackendHealth);
    return response.build();
  }

  private Optional<StorageBackendHealth> fault() {
    try {
      Amount bytes = usage.ofFileSystem(stateDirectory).bytes();
      return bytes.available() >= bytes.total() / HostpathNodeHealth.NEARLY_FULL
          ? Optional.empty()
          : Optional.of(
              fault(
                  StorageHealthErrorType.STORAGE_DEGRADED,
                  "NearlyFull",
                  bytes.available() + " of " + bytes.total() + " bytes are left"));
    } catch (CsiException e) {
      return Optional.of(
          fault(
              StorageHealthErrorType.STORAGE_UNREACHABLE,
              "IoError",
              "the file system of the state directory does not answer"));
    }
  }

  private static StorageBackendHealth fault(
      StorageHealthErrorType status, String reason, String message) {
    return StorageBackendHealth.newBuilder()
        .setStatus(status)
        .setReason(reason)
        .setMessage(message)
        .build();
  }
}
