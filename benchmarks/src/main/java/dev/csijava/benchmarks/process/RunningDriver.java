package dev.csijava.benchmarks.process;

import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.ProbeResponse;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.DriverEndpoint;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A driver's process with the directory that its socket and its log lie in. */
final class RunningDriver implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Path directory;
  private final Path socket;
  private final Sidecar driver;
  private final CsiConnection connection;
  private final double millis;

  private RunningDriver(Program program, Path state, List<String> more)
      throws IOException, InterruptedException {
    directory = Files.createTempDirectory("csi-benchmark");
    socket = directory.resolve("csi.sock");
    // Before the clock starts: it is the driver that is measured.
    connection = CsiConnection.to(DriverEndpoint.parse("unix://" + socket));
    List<String> command = new ArrayList<>();
    command.add(program.launcher().toString());
    command.add("--endpoint=unix://" + socket);
    command.add("--drivername=hostpath.csi.k8s.io");
    command.add("--nodeid=node");
    command.add("--statedir=" + state);
    if (program.ours()) {
      command.add("--rundir=" + directory.resolve("run"));
    }
    command.addAll(more);
    long began = System.nanoTime();
    driver = Sidecar.start(command, directory.resolve("driver.log"));
    try {
      awaitProbe(began);
    } catch (IOException | RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
    millis = (System.nanoTime() - began) / 1e6;
  }

  /**
   * Starts it and returns at the first Probe that succeeds.
   *
   * @param state its state directory, absolute
   * @param more flags
   * @throws IOException if it does not come up, with the end of what it logged
   */
  static RunningDriver start(Program program, Path state, List<String> more)
      throws IOException, InterruptedException {
    return new RunningDriver(program, state, more);
  }

  private void awaitProbe(long began) throws IOException, InterruptedException {
    while (!Files.exists(socket) || !probe()) {
      if (!driver.isAlive() || System.nanoTime() - began > PATIENCE.toNanos()) {
        throw new IOException("the driver did not come up: " + driver.lastWords());
      }
      TimeUnit.NANOSECONDS.sleep(PAUSE_NANOS);
    }
  }

  /**
   * On a connection of its own: a kept one that was refused, because the socket does not listen
   * yet, would wait before it tries again. Nothing else connects, which the driver would have to
   * answer.
   */
  private boolean probe() {
    try {
      ProbeResponse answer =
          IdentityGrpc.newBlockingStub(connection.perCall())
              .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
              .probe(ProbeRequest.getDefaultInstance());
      return !answer.hasReady() || answer.getReady().getValue();
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  /** From the start to the first Probe. */
  double millis() {
    return millis;
  }

  CsiConnection connection() {
    return connection;
  }

  Path socket() {
    return socket;
  }

  /** What of it is in memory now, in MiB. */
  double memory() throws IOException {
    return driver.memory();
  }

  @Override
  public void close() throws IOException {
    connection.close();
    driver.close();
    Trees.delete(directory);
  }
}
