package dev.csijava.hostpath.proxy;

import dev.csijava.core.CsiEndpoint;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins the connections of two listeners in pairs: each to the first waits for one to the second,
 * and what one of them says the other hears. So a driver in another pod, which can connect but not
 * listen where kubelet looks, serves the callers here. Nothing is read or changed on the way.
 *
 * <p>Safe for use by several threads. Owns one thread, and two more for each pair.
 */
public final class Proxy implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Proxy.class);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Listener first;
  private final Listener second;
  private final Set<Splice> open = ConcurrentHashMap.newKeySet();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean closed;

  private Proxy(Listener first, Listener second) {
    this.first = first;
    this.second = second;
  }

  /**
   * Listens at both.
   *
   * @param access who may connect where they are Unix sockets
   * @throws IOException if one of them can't be bound; nothing is left then
   */
  public static Proxy start(CsiEndpoint callers, CsiEndpoint driver, Access access)
      throws IOException {
    Listener first = Listener.bind(callers, access);
    try {
      Proxy proxy = new Proxy(first, Listener.bind(driver, access));
      Thread.ofPlatform().name("csi-proxy").daemon().start(proxy::run);
      log.info("connections to {} are joined with those to {}", callers, driver);
      return proxy;
    } catch (IOException | RuntimeException e) {
      first.close();
      throw e;
    }
  }

  private void run() {
    try {
      while (true) {
        try {
          join();
        } catch (ClosedChannelException e) {
          throw e;
        } catch (IOException e) {
          // As where descriptors are short: the pairs that are there go on, and may end.
          log.warn("a connection can't be joined: {}", e.toString());
          Thread.sleep(PAUSE);
        }
      }
    } catch (ClosedChannelException | InterruptedException e) {
      log.info("the proxy ends{}", closed ? "" : ", although nobody closed it");
    } finally {
      ended.countDown();
    }
  }

  private void join() throws IOException {
    SocketChannel one = first.accept();
    boolean joined = false;
    try {
      Splice splice = new Splice(one, second.accept(), open::remove);
      open.add(splice);
      splice.start();
      joined = true;
    } finally {
      if (!joined) {
        one.close();
      }
    }
  }

  /** Where the first listens; for TCP with the port that it got. */
  int firstPort() throws IOException {
    return first.port();
  }

  /** Where the second listens. */
  int secondPort() throws IOException {
    return second.port();
  }

  /**
   * Blocks until the proxy ends.
   *
   * @return whether it was closed; if not, it could not go on
   */
  public boolean awaitClosed() throws InterruptedException {
    ended.await();
    return closed;
  }

  /** Stops to listen, cuts the pairs off and removes its socket files. */
  @Override
  public void close() {
    closed = true;
    first.close();
    second.close();
    open.forEach(Splice::close);
  }
}
