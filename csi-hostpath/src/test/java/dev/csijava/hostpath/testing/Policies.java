package dev.csijava.hostpath.testing;

import dev.csijava.hostpath.attach.AttachedNodes;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.controller.VolumePolicy;
import dev.csijava.hostpath.settings.ModifySettings;
import dev.csijava.hostpath.store.StateDirectory;
import java.util.Map;

/** What may be made, where a test is not about that. */
public final class Policies {
  /** Nothing needs to be attached. */
  public static final AttachedNodes UNATTACHED = new AttachedNodes(false, "node-1");

  private Policies() {}

  /** These sizes, and no capacities, attributes or attaching. */
  public static VolumePolicy of(StateDirectory state, VolumeSizes sizes) {
    return of(state, sizes, Map.of());
  }

  /** The same with capacities. */
  public static VolumePolicy of(
      StateDirectory state, VolumeSizes sizes, Map<String, Long> capacities) {
    return new VolumePolicy(
        sizes, new Promises(capacities, state.volumes()), ModifySettings.DEFAULTS, UNATTACHED);
  }
}
