package dev.csijava.hostpath.admin;

import com.google.protobuf.TextFormat;
import dev.csijava.hostpath.state.Publication;
import dev.csijava.hostpath.state.Staged;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The entries of a run directory, only read: a driver may be at work there. */
final class RunFiles {
  /** As the driver reads them: what a newer one has added says nothing against the rest. */
  private static final TextFormat.Parser LENIENT =
      TextFormat.Parser.newBuilder().setAllowUnknownFields(true).build();

  private RunFiles() {}

  /** Where volumes are staged or published, by volume id. */
  static Map<String, List<String>> read(Path runDirectory) throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    for (String text : texts(runDirectory.resolve("staged"))) {
      try {
        Staged.Builder staged = Staged.newBuilder();
        LENIENT.merge(text, staged);
        add(found, staged.getVolumeId(), staged.getStagingPath());
      } catch (TextFormat.ParseException e) {
        // The driver drops it at its next start.
      }
    }
    for (String text : texts(runDirectory.resolve("publications"))) {
      try {
        Publication.Builder publication = Publication.newBuilder();
        LENIENT.merge(text, publication);
        add(found, publication.getVolumeId(), publication.getTargetPath());
      } catch (TextFormat.ParseException e) {
        // The same.
      }
    }
    return found;
  }

  private static void add(Map<String, List<String>> found, String volumeId, String path) {
    found.computeIfAbsent(volumeId, id -> new ArrayList<>()).add(path);
  }

  private static List<String> texts(Path folder) throws IOException {
    List<String> texts = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        try {
          texts.add(Files.readString(file));
        } catch (NoSuchFileException e) {
          // Taken away meanwhile.
        }
      }
    } catch (NoSuchFileException e) {
      return List.of();
    }
    return texts;
  }
}
