package dev.csijava.hostpath.proxy;

import dev.csijava.core.CsiEndpoint;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
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

  private final Listener first;
  private final Listener second;
  private final Set<Splice> open = ConcurrentHashMap.newKeySet();
  private final CountDownLatch ended = new CountDownLatch(1);

  private Proxy(Listener first, Listener second) {
    this.first = first;
    this.second = second;
  }

  /**
   * Listens at both.
   *
   * @throws IOException if one of them can't be bound; nothing is left then
   */
  public static Proxy start(CsiEndpoint callers, CsiEndpoint driver) throws IOException {
    Listener first = Listener.bind(callers);
    try {
      Proxy proxy = new Proxy(first, Listener.bind(driver));
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
        SocketChannel one = first.accept();
        try {
          Splice splice = new Splice(one, second.accept(), open::remove);
          open.add(splice);
          splice.start();
        } catch (IOException e) {
          one.close();
          throw e;
        }
      }
    } catch (ClosedChannelException e) {
      log.info("the proxy ends");
    } catch (IOException e) {
      log.error("the proxy ends", e);
    } finally {
      ended.countDown();
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

  /** Blocks until the proxy is closed. */
  public void awaitClosed() throws InterruptedException {
    ended.await();
  }

  /** Stops to listen, cuts the pairs off and removes its socket files. */
  @Override
  public void close() {
    first.close();
    second.close();
    open.forEach(Splice::close);
  }
}
