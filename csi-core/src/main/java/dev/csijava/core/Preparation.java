package dev.csijava.core;

import com.google.common.util.concurrent.Uninterruptibles;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Initialises Netty on a thread of its own while the program reads its flags and its state. Netty
 * only, which nobody else touches before {@link #await}: two threads that initialise the same
 * classes could wait for each other for ever.
 */
final class Preparation {
  // Made here, since a logger that is made while logging is set up on another thread is a
  // makeshift.
  private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

  private static @Nullable Thread thread;

  private Preparation() {}

  static synchronized void begin() {
    if (thread == null) {
      thread = new Thread(Preparation::run, "csi-prepare");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Returns when what was begun has ended; at once if nothing was. */
  static synchronized void await() {
    if (thread != null) {
      Uninterruptibles.joinUninterruptibly(thread);
    }
  }

  private static void run() {
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      NioDomainSocketChannel channel = new NioDomainSocketChannel(null, socket);
      channel.pipeline().addLast(new ChannelInboundHandlerAdapter());
    } catch (IOException e) {
      LOG.debug("nothing is prepared; binding will say why", e);
    } finally {
      var unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
  }
}
