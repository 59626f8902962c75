package dev.csijava.nativeio;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.RawPaths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** For kernels before 6.8: reads the whole table for every question. */
final class TableReader implements MountReader {
  @Override
  public int kindOfId() {
    return FileStatus.TABLE_ID;
  }

  @Override
  public Optional<Mounted> byId(long id) throws IOException {
    MountTable table = MountTable.read();
    return find(table, id).map(mount -> mounted(table, mount));
  }

  @Override
  public Optional<MountFacts> facts(long id) throws IOException {
    return byId(id).map(mounted -> MountFacts.of(mounted.mount(), mounted.shared()));
  }

  @Override
  public void requireNothingHidden(Path target, @Nullable Place place) throws IOException {
    MountTable.read().requireNothingHidden(place == null ? target : RawPaths.of(place.realPath()));
  }

  @Override
  public List<Mounted> stackUnder(long id) throws IOException {
    MountTable table = MountTable.read();
    Mount top = find(table, id).orElse(null);
    if (top == null) {
      return List.of();
    }
    return table.stackAt(top.target()).stream().map(mount -> mounted(table, mount)).toList();
  }

  private static Optional<Mount> find(MountTable table, long id) {
    return table.all().stream().filter(mount -> mount.id() == id).findFirst();
  }

  private static Mounted mounted(MountTable table, Mount mount) {
    return new Mounted(mount.id(), mount, table.isShared(mount));
  }
}
