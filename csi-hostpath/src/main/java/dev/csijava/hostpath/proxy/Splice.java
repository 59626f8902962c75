package dev.csijava.hostpath.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two connections, each told what the other says; an end of one is the other's end too. */
final class Splice implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Splice.class);
  private static final int BUFFER = 64 << 10;

  private final SocketChannel one;
  private final SocketChannel other;
  private final Consumer<Splice> whenOver;
  private final AtomicInteger flowing = new AtomicInteger(2);

  Splice(SocketChannel one, SocketChannel other, Consumer<Splice> whenOver) {
    this.one = one;
    this.other = other;
    this.whenOver = whenOver;
  }

  void start() {
    Thread.ofPlatform().name("csi-proxy-there").daemon().start(() -> carry(one, other));
    Thread.ofPlatform().name("csi-proxy-back").daemon().start(() -> carry(other, one));
  }

  private void carry(SocketChannel from, SocketChannel to) {
    try {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
      while (from.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
        buffer.clear();
      }
      // The other way may still have something to say.
      to.shutdownOutput();
    } catch (IOException e) {
      log.debug("a connection ends: {}", e.toString());
      close();
    } finally {
      if (flowing.decrementAndGet() == 0) {
        close();
        whenOver.accept(this);
      }
    }
  }

  @Override
  public void close() {
    closeQuietly(one);
    closeQuietly(other);
  }

  private static void closeQuietly(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      log.debug("a connection did not close: {}", e.toString());
    }
  }
}
