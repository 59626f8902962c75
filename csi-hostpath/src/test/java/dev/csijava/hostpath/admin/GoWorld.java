package dev.csijava.hostpath.admin;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.hostpath.testing.FakeDisk;
import dev.csijava.hostpath.testing.FakeKernel;
import dev.csijava.hostpath.testing.FakeMachine;
import dev.csijava.hostpath.testing.PlainTreeCopier;
import dev.csijava.hostpath.testing.TestState;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A state of the Go driver in memory, written by hand, and a place for the new one. */
final class GoWorld {
  static final String VOLUME = "0a5d3f0c-6b7e-11ee-8f2e-0242ac110002";
  static final String BLOCK = "1b5d3f0c-6b7e-11ee-8f2e-0242ac110002";
  static final String INLINE = "csi-0123456789abcdef";
  static final String SNAPSHOT = "2c5d3f0c-6b7e-11ee-8f2e-0242ac110002";
  static final String BLOCK_SNAPSHOT = "3d5d3f0c-6b7e-11ee-8f2e-0242ac110002";
  static final String GROUP = "4e5d3f0c-6b7e-11ee-8f2e-0242ac110002";
  static final String TARGET = "/pods/uid-1/volumes/kubernetes.io~csi/pv/mount";
  static final String INLINE_TARGET = "/pods/uid-2/volumes/kubernetes.io~csi/inline/mount";

  /** The state says 3000, and a device has whole pages. */
  static final long BLOCK_BYTES = 4096;

  final FileSystem fileSystem =
      Jimfs.newFileSystem(
          Configuration.unix().toBuilder().setAttributeViews("posix", "unix").build());
  final FakeDisk disk = new FakeDisk();
  final FakeKernel kernel = new FakeKernel();
  final FakeMachine machine;
  final Path go = fileSystem.getPath("/go");
  final Path run = fileSystem.getPath("/run");
  final List<String> said = new ArrayList<>();
  boolean oneMount = true;

  GoWorld() throws IOException {
    machine = new FakeMachine(kernel, Files.createDirectory(fileSystem.getPath("/dev")), disk);
    Files.createDirectories(go.resolve(VOLUME));
    Files.writeString(go.resolve(VOLUME).resolve("file"), "of the volume");
    Files.createDirectories(go.resolve(INLINE));
    Files.writeString(go.resolve(BLOCK), "B".repeat(2000));
    Files.writeString(go.resolve(SNAPSHOT + ".snap"), "archive");
    Files.writeString(go.resolve(BLOCK_SNAPSHOT + ".snap"), "S".repeat(2000));
    Files.createDirectories(fileSystem.getPath(TARGET));
    Files.createDirectories(fileSystem.getPath(INLINE_TARGET));
    write(STATE);
  }

  static final String STATE =
      """
      {"Volumes":[
        {"VolName":"pvc-1","VolID":"%1$s","VolSize":1073741824,"VolPath":"/csi-data-dir/%1$s",
         "VolAccessType":0,"ParentVolID":"","ParentSnapID":"","Ephemeral":false,"NodeID":"node-1",
         "Kind":"fast","ReadOnlyAttach":false,"Attached":true,"Staged":["/staging/1"],
         "Published":["%7$s"],"SomethingNew":{"a":[1]}},
        {"VolName":"pvc-2","VolID":"%2$s","VolSize":3000,"VolPath":"/csi-data-dir/%2$s",
         "VolAccessType":1,"ParentVolID":"gone","Staged":null,"Published":null},
        {"VolName":"ephemeral-x","VolID":"%3$s","VolSize":104857600,"VolPath":"/csi-data-dir/%3$s",
         "VolAccessType":0,"Ephemeral":true,"NodeID":"node-1","Published":["%8$s"]}],
       "Snapshots":[
        {"Name":"group-a","Id":"%4$s","VolID":"%1$s","Path":"/csi-data-dir/%4$s.snap",
         "CreationTime":{"seconds":1700000000,"nanos":12},"SizeBytes":1073741824,
         "ReadyToUse":true,"GroupSnapshotID":"%6$s"},
        {"Name":"snap-b","Id":"%5$s","VolID":"%2$s","Path":"/csi-data-dir/%5$s.snap",
         "CreationTime":{"seconds":1700000001},"SizeBytes":3000,"ReadyToUse":true,
         "GroupSnapshotID":""}],
       "GroupSnapshots":[
        {"Name":"group","Id":"%6$s","SnapshotIDs":["%4$s"],"SourceVolumeIDs":["%1$s"],
         "CreationTime":{"seconds":1700000000},"ReadyToUse":true}]}
      """
          .formatted(VOLUME, BLOCK, INLINE, SNAPSHOT, BLOCK_SNAPSHOT, GROUP, TARGET, INLINE_TARGET);

  void write(String state) throws IOException {
    Files.writeString(go.resolve("state.json"), state);
  }

  AdminMachine admin() {
    return new AdminMachine(
        disk,
        kernel,
        (one, other) -> oneMount,
        machine.loops(),
        new PlainTreeCopier(),
        machine.fileCopier(),
        new Archives(),
        TestState.clock());
  }

  Import into(Path target, String... skipped) {
    return new Import(go, target, run, Set.copyOf(Arrays.asList(skipped)), admin());
  }

  StateDirectory open(Path target) throws IOException {
    return StateDirectory.open(target, disk, kernel, Steps.NONE, TestState.clock());
  }

  /** All that lies below the Go driver's directory and is not of ours: names and contents. */
  Map<String, String> oldFiles() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(go)) {
      for (Path file : files.toList()) {
        String name = go.relativize(file).toString();
        if (!name.matches("(lock|volumes|snapshots|groups|pending|trash|import)?(/.*)?")) {
          found.put(name, Files.isDirectory(file) ? "" : Files.readString(file).replace("\0", ""));
        }
      }
    }
    return found;
  }

  private record Archives() implements Unpacker {
    @Override
    public boolean isArchive(Path file) throws IOException {
      return Files.readString(file).startsWith("archive");
    }

    @Override
    public void unpack(Path archive, Path to) throws IOException {
      if (!isArchive(archive)) {
        throw new IOException("tar failed with 2: this is no archive");
      }
      Files.createDirectory(to);
      Files.writeString(to.resolve("file"), "of the snapshot");
    }
  }
}
