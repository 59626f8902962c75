package dev.csijava.core;

import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.AbstractNioMessageChannel;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Netty's end of a {@link UnixListener}. Netty's own server channel removes whatever lies at its
 * path when it closes, which may be a successor's socket; this one leaves the file to the listener.
 * Pure Java: no native transport is needed.
 */
final class UnixServerChannel extends AbstractNioMessageChannel implements ServerChannel {
  private static final Logger LOG = LoggerFactory.getLogger(UnixServerChannel.class);
  private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

  private final ChannelConfig config = new DefaultChannelConfig(this);
  private final UnixListener listener;
  private final Predicate<SocketChannel> admission;
  private volatile boolean accepting;

  UnixServerChannel(UnixListener listener, Predicate<SocketChannel> admission) {
    super(null, listener.channel(), SelectionKey.OP_ACCEPT);
    this.listener = listener;
    this.admission = admission;
  }

  @Override
  public ChannelConfig config() {
    return config;
  }

  @Override
  public ChannelMetadata metadata() {
    return METADATA;
  }

  @Override
  public boolean isActive() {
    return accepting && javaChannel().isOpen();
  }

  @Override
  protected ServerSocketChannel javaChannel() {
    return (ServerSocketChannel) super.javaChannel();
  }

  /** The listener is bound already; Netty only needs to start to accept. */
  @Override
  protected void doBind(SocketAddress localAddress) {
    accepting = true;
  }

  @Override
  protected int doReadMessages(List<Object> accepted) throws Exception {
    SocketChannel peer = javaChannel().accept();
    if (peer == null) {
      return 0;
    }
    if (!admission.test(peer)) {
      peer.close();
      return 0;
    }
    try {
      accepted.add(new NioDomainSocketChannel(this, peer));
      return 1;
    } catch (RuntimeException e) {
      LOG.warn("a connection could not be taken; it is closed", e);
      peer.close();
      return 0;
    }
  }

  @Override
  protected void doClose() throws Exception {
    listener.close();
  }

  @Override
  protected @Nullable SocketAddress localAddress0() {
    try {
      return javaChannel().getLocalAddress();
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  protected @Nullable SocketAddress remoteAddress0() {
    return null;
  }

  @Override
  protected boolean doConnect(SocketAddress remoteAddress, SocketAddress localAddress) {
    throw new IllegalStateException("a server channel does not connect");
  }

  @Override
  protected void doFinishConnect() {
    throw new IllegalStateException("a server channel does not connect");
  }

  @Override
  protected boolean doWriteMessage(Object message, ChannelOutboundBuffer in) {
    throw new IllegalStateException("a server channel does not write");
  }

  @Override
  protected void doDisconnect() {
    throw new IllegalStateException("a server channel does not disconnect");
  }
}
