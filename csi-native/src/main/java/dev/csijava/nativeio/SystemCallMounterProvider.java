package dev.csijava.nativeio;

import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.MounterProvider;
import dev.csijava.core.mount.UsageReader;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Mounts and measures by Linux system calls: what {@link Mounter#system} uses where this module is
 * on the class path, the JDK is 22 or newer, and the kernel, 5.12 or newer, permits the calls.
 * Start the JVM with {@code --enable-native-access=ALL-UNNAMED}, or put {@code
 * Enable-Native-Access: ALL-UNNAMED} into the manifest of the jar that is launched, or the JVM
 * warns. On x86-64 every build tries it; the numbers for aarch64 have not been run.
 *
 * @since 0.1.0
 */
public final class SystemCallMounterProvider implements MounterProvider {
  /**
   * For {@link java.util.ServiceLoader}; touches nothing.
   *
   * @since 0.1.0
   */
  public SystemCallMounterProvider() {}

  @Override
  public String name() {
    return "system calls";
  }

  @Override
  public Optional<String> unavailable() {
    Optional<String> system = Architecture.unsupported();
    if (system.isPresent()) {
      return system;
    }
    try {
      MountKernel.Calls.probe();
      return Optional.empty();
    } catch (LinuxException e) {
      return Optional.of(
          e.getMessage()
              + "; to mount by system calls use Linux 5.12 or newer, give the process"
              + " CAP_SYS_ADMIN, and permit the call in the container's seccomp profile");
    }
  }

  @Override
  public Mounter mounter(Mounter programs) {
    return new NativeMounter(MountKernel.system(), MountReader.system(), programs);
  }

  @Override
  public UsageReader usageReader(UsageReader programs) {
    return new NativeUsageReader(MountReader.system(), programs);
  }

  @Override
  public long[] mountNumbers() {
    return MountNumbers.all();
  }

  @Override
  public Optional<String> loopDevicesUnavailable() {
    try {
      Descriptor.open(Path.of("/dev/loop-control"), Descriptor.READ_WRITE).close();
      return Optional.empty();
    } catch (LinuxException e) {
      return Optional.of(
          "/dev/loop-control can't be opened ("
              + e.getMessage()
              + "); to attach images load the loop module, mount the node's /dev into the"
              + " container, and make it privileged");
    }
  }

  @Override
  public LoopDevices loopDevices(String tag, LoopDevices programs) {
    return new NativeLoopDevices(LoopNodes.system(), tag);
  }
}
