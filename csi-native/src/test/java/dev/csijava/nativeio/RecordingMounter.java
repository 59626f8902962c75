package dev.csijava.nativeio;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Passes all on and remembers what was to be changed. One thread. */
final class RecordingMounter implements Mounter {
  private final Mounter real;
  private final List<String> calls = new ArrayList<>();

  RecordingMounter(Mounter real) {
    this.real = real;
  }

  List<String> calls() {
    return calls;
  }

  @Override
  public void bind(Path source, Path target, MountOptions options) {
    calls.add("bind");
    real.bind(source, target, options);
  }

  @Override
  public void mount(String source, Path target, String fileSystemType, List<String> options) {
    calls.add("mount " + fileSystemType);
    real.mount(source, target, fileSystemType, options);
  }

  @Override
  public void unmount(Path target) {
    calls.add("unmount");
    real.unmount(target);
  }

  @Override
  public Optional<Mount> mountAt(Path target) {
    return real.mountAt(target);
  }

  @Override
  public boolean isMountOf(Path source, Path target) {
    return real.isMountOf(source, target);
  }
}
