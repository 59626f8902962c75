package dev.csijava.hostpath;

import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.spec.v1.CsiProto;

/**
 * What takes longest of a start and needs nothing of the others, each on a thread of its own while
 * the log is set up: system calls are linked, and the messages of the interface are described.
 */
final class Preparation {
  private final Thread calls = start("csi-prepare-calls", OpenDirectory::unavailable);
  private final Thread messages = start("csi-prepare-messages", CsiProto::getDescriptor);

  private Preparation() {}

  static Preparation begin() {
    return new Preparation();
  }

  /**
   * Returns when all of it is done. Until then nothing else may use messages or system calls: two
   * threads that initialise the same classes could wait for each other for ever.
   */
  void await() throws InterruptedException {
    calls.join();
    messages.join();
  }

  private static Thread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
