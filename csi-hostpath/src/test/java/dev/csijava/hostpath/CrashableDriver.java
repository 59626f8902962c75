package dev.csijava.hostpath;

import java.io.IOException;
import java.util.List;

/** A driver that dies at a given boundary of a call. */
interface CrashableDriver extends RestartableDriver {
  /** Dies at the boundary that comes after so many others from now on. */
  void arm(int boundaries) throws IOException;

  /** Goes on without dying; the boundaries that were passed. */
  List<String> disarm() throws IOException;
}
