package dev.csijava.hostpath;

import dev.csijava.hostpath.testing.Client;
import java.io.IOException;
import java.nio.file.Path;

/** A driver that can die and be started again. */
interface RestartableDriver extends AutoCloseable {
  /** What it may write to. */
  Path root();

  /** Its caller. */
  Client client();

  /** Starts it again, be it dead or alive. */
  void restart() throws Exception;

  /** Ends it and leaves no mount and no device. */
  @Override
  void close() throws IOException;
}
