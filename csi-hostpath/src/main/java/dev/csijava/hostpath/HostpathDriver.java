package dev.csijava.hostpath;

import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiException;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.Mount;
import dev.csijava.hostpath.node.Publications;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.store.StateDirectory;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reference driver, put together: it holds its state directory until it is closed. Close it
 * after the server that serves it.
 */
public final class HostpathDriver implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HostpathDriver.class);

  private final StateDirectory state;
  private final CsiDriver driver;

  private HostpathDriver(StateDirectory state, CsiDriver driver) {
    this.state = state;
    this.driver = driver;
  }

  /**
   * Takes the state directory and reads it.
   *
   * @throws IOException if it is in use by another process, or can't be made or read
   * @throws IllegalArgumentException if a setting is wrong, with a sentence for the operator
   */
  public static HostpathDriver open(HostpathSettings settings) throws IOException {
    return open(settings, Host.real());
  }

  static HostpathDriver open(HostpathSettings settings, Host host) throws IOException {
    // Before anything is made on the disk, since it says whether the name is one.
    CsiDriver.Builder driver =
        CsiDriver.named(settings.driverName())
            .version(settings.version())
            .mode(settings.mode())
            .advertise(settings.advertised());
    requireSeen(host, settings);
    StateDirectory state =
        StateDirectory.open(
            settings.stateDirectory(), host.disk(), host.mounts(), host.steps(), host.clock());
    try {
      LoopDevices loops = host.loops().of(state.root());
      Parts parts = Parts.of(settings, host, state, loops);
      sweepLoops(loops, state);
      new ControllerAssembly(parts).register(driver);
      NodeAssembly node =
          new NodeAssembly(parts, Publications.open(settings.runDirectory(), host.steps()));
      node.register(driver);
      node.sweep();
      return new HostpathDriver(state, driver.build());
    } catch (IOException | RuntimeException e) {
      state.close();
      throw e;
    }
  }

  /** Where nobody can tell who uses a volume, none could ever be deleted. */
  private static void requireSeen(Host host, HostpathSettings settings) throws IOException {
    try {
      List<Mount> ignored = host.mounts().showing(settings.stateDirectory());
    } catch (CsiException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Releases what a crash left attached that no volume needs, also where the file is deleted. */
  private static void sweepLoops(LoopDevices loops, StateDirectory state) {
    try {
      loops
          .sweep(
              state
                  .volumes()
                  .after(null)
                  .parallel()
                  .filter(volume -> volume.getBacking() != Backing.DIRECTORY)
                  .map(state.volumes()::data)
                  .toList())
          .forEach(device -> log.info("released {}, left by a crash", device.node()));
    } catch (CsiException e) {
      log.warn("loop devices that a crash left could not be swept: {}", e.getMessage());
    }
  }

  /** What to serve. */
  public CsiDriver driver() {
    return driver;
  }

  /** Lets go of the state directory. All calls have ended. */
  @Override
  public void close() throws IOException {
    state.close();
  }
}
