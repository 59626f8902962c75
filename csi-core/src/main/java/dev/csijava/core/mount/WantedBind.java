package dev.csijava.core.mount;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A directory or file at a second place.
 *
 * @param source its path, links in the parent resolved
 * @param identity what lies there
 * @param below the mount that the source lies on
 */
record WantedBind(
    Path source,
    FileIdentity identity,
    Mount below,
    MountOptions options,
    FileIdentity.Reader files)
    implements Wanted {
  @Override
  public FileIdentity.Kind kind() {
    return identity.kind();
  }

  @Override
  public ProgramCommand command(Path target) {
    // One run for all steps: the shorter the time in which the mount is writable or in the peer
    // group of its source, the better.
    ProgramCommand mount = ProgramCommand.of("mount", "-n", "-c", "--bind", "--make-private");
    if (!options.flags().isEmpty()) {
      TreeSet<String> all = new TreeSet<>(below.options());
      all.retainAll(MountOptions.INHERITED);
      options.flags().forEach(flag -> all.add(flag.option()));
      mount = mount.with("-o", String.join(",", all));
    }
    return mount.with("--", RawPaths.argument(source), RawPaths.argument(target));
  }

  @Override
  public boolean isShownBy(Mount mount, Path target) {
    // Another file system can't show it; only one that the source lies on is asked.
    if (!mount.device().equals(below.device())) {
      return false;
    }
    try {
      return files.of(target).equals(identity);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public boolean cameAs(Mount mount, Path target) {
    return isShownBy(mount, target);
  }

  @Override
  public Optional<String> difference(Mount mount) {
    return options.difference(mount, below);
  }

  @Override
  public Optional<String> loss(Mount mount) {
    return MountOptions.loss(mount.options(), below.options());
  }
}
