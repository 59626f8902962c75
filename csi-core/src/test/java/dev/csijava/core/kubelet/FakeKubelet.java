package dev.csijava.core.kubelet;

import dev.csijava.spec.registration.RegistrationStatus;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Kubelet's side of the plugin watcher: watches the directory, dials, asks, reports. */
final class FakeKubelet implements AutoCloseable {
  private static final String SERVICE = "pluginregistration.Registration/";

  private final EventLoopGroup eventLoop =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Path directory;
  private final WatchService watcher;

  FakeKubelet(Path directory) throws IOException {
    this.directory = directory;
    this.watcher = directory.getFileSystem().newWatchService();
    directory.register(
        watcher, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
  }

  /** Waits for the next socket; names that begin with a dot are ignored, as kubelet does. */
  Path awaitCreated() throws InterruptedException {
    return await(StandardWatchEventKinds.ENTRY_CREATE::equals);
  }

  Path awaitDeleted() throws InterruptedException {
    return await(StandardWatchEventKinds.ENTRY_DELETE::equals);
  }

  private Path await(Predicate<WatchEvent.Kind<?>> wanted) throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      WatchKey key = watcher.poll(10, TimeUnit.SECONDS);
      if (key == null) {
        break;
      }
      Path found = null;
      for (WatchEvent<?> event : key.pollEvents()) {
        if (wanted.test(event.kind()) && isVisible(event)) {
          found = directory.resolve((Path) event.context());
        }
      }
      key.reset();
      if (found != null) {
        return found;
      }
    }
    throw new AssertionError("nothing happened in " + directory);
  }

  /** Watches for a while and counts the sockets that appear. */
  int countCreatedDuring(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
    int count = 0;
    for (WatchKey key = watcher.poll(); key != null; key = watcher.poll()) {
      for (WatchEvent<?> event : key.pollEvents()) {
        if (event.kind().equals(StandardWatchEventKinds.ENTRY_CREATE) && isVisible(event)) {
          count++;
        }
      }
      key.reset();
    }
    return count;
  }

  private static boolean isVisible(WatchEvent<?> event) {
    return !event.context().toString().startsWith(".");
  }

  /** GetInfo; the bytes as they came over the wire. */
  byte[] getInfo(Path socket) {
    return call(socket, "GetInfo", new byte[0], "localhost");
  }

  byte[] getInfo(Path socket, String authority) {
    return call(socket, "GetInfo", new byte[0], authority);
  }

  void accept(Path socket) {
    report(socket, RegistrationStatus.newBuilder().setPluginRegistered(true).build());
  }

  void refuse(Path socket, String error) {
    report(socket, RegistrationStatus.newBuilder().setError(error).build());
  }

  private void report(Path socket, RegistrationStatus status) {
    call(socket, "NotifyRegistrationStatus", status.toByteArray(), "localhost");
  }

  /** A new connection for each call. */
  private byte[] call(Path socket, String rpc, byte[] request, String authority) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .eventLoopGroup(eventLoop)
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            .overrideAuthority(authority)
            .usePlaintext()
            .directExecutor()
            .build();
    try {
      MethodDescriptor<byte[], byte[]> method =
          MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(SERVICE + rpc)
              .build();
      CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS);
      return ClientCalls.blockingUnaryCall(channel, method, options, request);
    } finally {
      channel.shutdownNow();
    }
  }

  @Override
  public void close() throws IOException {
    watcher.close();
    eventLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5_000);
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
