package dev.csijava.benchmarks.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The programs whose processes are measured; each is left out if it is not given.
 *
 * @param shipped the launcher of the shipped driver
 * @param classPath a launcher of the same driver from jars, without a cache of classes
 * @param peer another driver
 * @param registrar what registers the peer with kubelet
 * @param liveness what answers for the peer's health
 */
public record DriverPrograms(
    Optional<Path> shipped,
    Optional<Path> classPath,
    Optional<Path> peer,
    Optional<Path> registrar,
    Optional<Path> liveness) {
  /** Not one. */
  public static final DriverPrograms NONE =
      new DriverPrograms(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** The same with another one. */
  public DriverPrograms withShipped(Optional<Path> program) {
    return new DriverPrograms(program, classPath, peer, registrar, liveness);
  }

  /** The same with another one. */
  public DriverPrograms withClassPath(Optional<Path> program) {
    return new DriverPrograms(shipped, program, peer, registrar, liveness);
  }

  /** The same with another one. */
  public DriverPrograms withPeer(Optional<Path> program) {
    return new DriverPrograms(shipped, classPath, program, registrar, liveness);
  }

  /** The same with another one. */
  public DriverPrograms withRegistrar(Optional<Path> program) {
    return new DriverPrograms(shipped, classPath, peer, program, liveness);
  }

  /** The same with another one. */
  public DriverPrograms withLiveness(Optional<Path> program) {
    return new DriverPrograms(shipped, classPath, peer, registrar, program);
  }

  /** Ours, in the forms that were given. */
  List<Program> ours() {
    List<Program> programs = new ArrayList<>();
    shipped.ifPresent(path -> programs.add(new Program("shipped", path, true)));
    classPath.ifPresent(path -> programs.add(new Program("class-path", path, true)));
    return programs;
  }

  /** The other one, if it was given. */
  Optional<Program> other() {
    return peer.map(path -> new Program("peer", path, false));
  }

  /** All drivers. */
  List<Program> drivers() {
    List<Program> programs = new ArrayList<>(ours());
    other().ifPresent(programs::add);
    return programs;
  }
}
