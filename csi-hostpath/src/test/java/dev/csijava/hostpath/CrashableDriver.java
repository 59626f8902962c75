package dev.csijava.hostpath;

import dev.csijava.hostpath.testing.Client;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A driver that dies at a given boundary of a call, and can be started again. */
interface CrashableDriver extends AutoCloseable {
  /** What it may write to. */
  Path root();

  /** Its caller. */
  Client client();

  /** Dies at the boundary that comes after so many others from now on. */
  void arm(int boundaries) throws IOException;

  /** Goes on without dying; the boundaries that were passed. */
  List<String> disarm() throws IOException;

  /** Starts it again, be it dead or alive. */
  void restart() throws Exception;

  /** Ends it and leaves no mount and no device. */
  @Override
  void close() throws Exception;
}
