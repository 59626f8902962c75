package dev.csijava.core;

import com.google.protobuf.Message;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes the answer to the wire. Streams wait here while their caller is slow, so that a whole
 * disk's block list never piles up in memory.
 */
final class GrpcReply implements Reply {
  private final ServerCall<Object, Message> call;
  private final boolean waitsForRoom;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean headersSent;

  GrpcReply(ServerCall<Object, Message> call, boolean waitsForRoom) {
    this.call = call;
    this.waitsForRoom = waitsForRoom;
  }

  @Override
  public void send(Message response) {
    sendHeaders();
    if (waitsForRoom) {
      awaitRoom();
    }
    call.sendMessage(response);
  }

  @Override
  public void end() {
    sendHeaders();
    close(Status.OK);
  }

  @Override
  public void fail(Throwable failure) {
    close(Status.fromThrowable(failure));
  }

  /** The transport can take more, or the caller is gone. */
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void sendHeaders() {
    if (!headersSent) {
      headersSent = true;
      call.sendHeaders(new Metadata());
    }
  }

  private void awaitRoom() {
    lock.lock();
    try {
      while (!call.isReady() && !call.isCancelled()) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CsiException.unavailable("the driver is shutting down", e);
    } finally {
      lock.unlock();
    }
    if (call.isCancelled()) {
      throw new CsiException(Status.Code.CANCELLED, "the caller has gone away");
    }
  }

  private void close(Status status) {
    if (closed.compareAndSet(false, true)) {
      call.close(status, new Metadata());
    }
  }
}
