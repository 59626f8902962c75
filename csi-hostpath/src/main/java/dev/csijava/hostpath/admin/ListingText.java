package dev.csijava.hostpath.admin;

import dev.csijava.hostpath.admin.state.ListedFolder;
import dev.csijava.hostpath.admin.state.ListedVolume;
import dev.csijava.hostpath.admin.state.VolumeListing;
import java.util.ArrayList;
import java.util.List;

/** A listing as a table for people. */
final class ListingText {
  private static final List<String> HEAD =
      List.of("STATE", "ID", "NAME", "BACKING", "SIZE", "USED", "SNAPSHOTS", "NODES", "IN USE AT");

  private ListingText() {}

  static List<String> lines(VolumeListing listing) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    listing.getVolumesList().forEach(volume -> rows.add(row(volume)));
    List<String> lines = new ArrayList<>(table(rows));
    for (ListedFolder folder : listing.getFoldersList()) {
      lines.add("%s: %s: %s".formatted(folder.getState(), folder.getFolder(), folder.getReason()));
    }
    return lines;
  }

  private static List<String> row(ListedVolume volume) {
    List<String> users = new ArrayList<>(volume.getTargetsList());
    volume.getEntriesList().stream()
        .filter(entry -> !users.contains(entry))
        .forEach(entry -> users.add("(" + entry + ")"));
    if (!volume.getDevice().isEmpty()) {
      users.add(volume.getDevice());
    }
    String used =
        volume.getUsedBytes() < 0
            ? "?"
            : (volume.getUsedIsLeast() ? ">" : "") + volume.getUsedBytes();
    return List.of(
        volume.getState(),
        volume.getId(),
        orDash(volume.getName()),
        volume.getBacking(),
        Long.toString(volume.getSizeBytes()),
        used,
        Integer.toString(volume.getSnapshotsCount()),
        orDash(String.join(",", volume.getNodesList())),
        orDash(String.join(" ", users)));
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text.replaceAll("\\p{Cntrl}", "?");
  }

  private static List<String> table(List<List<String>> rows) {
    int[] widths = new int[HEAD.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
    }
    return line.toString().stripTrailing();
  }
}
