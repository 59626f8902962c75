package dev.csijava.hostpath.copy;

import dev.csijava.nativeio.OpenDirectory;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copiers of this process.
 *
 * @param tree for directories
 * @param file for image and block files
 */
public record Copiers(TreeCopier tree, FileCopier file) {
  private static final Logger log = LoggerFactory.getLogger(Copiers.class);

  /** By descriptor where this process can, else by cp(1); says in the log which and why. */
  public static Copiers system() {
    Optional<String> reason = OpenDirectory.unavailable();
    if (reason.isEmpty()) {
      log.info("volumes are copied by descriptor");
      return new Copiers(new DescriptorTreeCopier(), new DescriptorFileCopier());
    }
    log.info("volumes are copied by cp(1): {}", reason.get());
    return new Copiers(new ProgramTreeCopier(), new ProgramFileCopier());
  }
}
