package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.store.StateListing;
import dev.csijava.hostpath.testing.Loops;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.hostpath.testing.TestMounts;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands beside the server, with real mounts, loop devices and archives. */
class AdminIT {
  private static final String VOLUME = "0a5d3f0c-6b7e-11ee-8f2e-0242ac110002";
  private static final String BLOCK = "1b5d3f0c-6b7e-11ee-8f2e-0242ac110002";
  private static final String SNAPSHOT = "2c5d3f0c-6b7e-11ee-8f2e-0242ac110002";
  private static final long BYTES = 2L << 20;
  private static final VolumeCapability MOUNT = Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER);

  private TestMounts mounts;
  private Path root;
  private Path state;
  private final StringWriter said = new StringWriter();

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    mounts = TestMounts.below(directory);
    assumeTrue(Programs.missing("losetup", "tar").isEmpty(), "losetup and tar needed");
    root = mounts.directory();
    state = Files.createDirectory(root.resolve("state"));
    writeGoState();
  }

  @AfterEach
  void stop() throws Exception {
    if (mounts != null) {
      mounts.close();
      Loops.detachBelow(mounts.directory());
    }
  }

  private void writeGoState() throws IOException {
    Path volume = Files.createDirectory(state.resolve(VOLUME));
    Files.writeString(volume.resolve("file"), "of the volume");
    Files.createSymbolicLink(volume.resolve("link"), Path.of("/etc/hostname"));
    Programs.run("chown", "1234:5678", volume.resolve("file").toString());
    Programs.run("chmod", "6751", volume.resolve("file").toString());
    Programs.run("mkfifo", volume.resolve("fifo").toString());
    Programs.run("touch", "-h", "-d", "2001-02-03T04:05:06", volume.resolve("link").toString());
    Programs.run(
        "tar", "czf", state.resolve(SNAPSHOT + ".snap").toString(), "-C", volume.toString(), ".");
    // Smaller than it says, as the Go driver leaves it.
    Programs.run("truncate", "--size=1M", state.resolve(BLOCK).toString());
    Files.writeString(
        state.resolve("state.json"),
        """
        {"Volumes":[
          {"VolName":"pvc-1","VolID":"%1$s","VolSize":1048576,"VolPath":"/csi-data-dir/%1$s",
           "Published":["%4$s"],"Staged":["%5$s"]},
          {"VolName":"pvc-2","VolID":"%2$s","VolSize":2097152,"VolPath":"/csi-data-dir/%2$s",
           "VolAccessType":1,"Published":["%6$s"],"Staged":["%7$s"]}],
         "Snapshots":[
          {"Name":"snap-1","Id":"%3$s","VolID":"%1$s","Path":"/csi-data-dir/%3$s.snap",
           "CreationTime":{"seconds":1700000000},"SizeBytes":1048576,"ReadyToUse":true}],
         "GroupSnapshots":null}
        """
            .formatted(
                VOLUME,
                BLOCK,
                SNAPSHOT,
                target("pod-1"),
                staging(VOLUME),
                target("pod-2"),
                staging(BLOCK)));
  }

  private Path target(String pod) {
    return root.resolve("kubelet/pods").resolve(pod).resolve("mount");
  }

  private Path staging(String id) {
    return root.resolve("kubelet/plugins").resolve(id).resolve("globalmount");
  }

  /** Publishes as the Go driver does. */
  private void publish() throws IOException {
    Files.createDirectories(staging(VOLUME));
    Files.createDirectories(staging(BLOCK));
    Files.createDirectories(target("pod-1"));
    Programs.run("mount", "--bind", state.resolve(VOLUME).toString(), target("pod-1").toString());
    String device =
        Programs.run("losetup", "--find", "--show", state.resolve(BLOCK).toString()).strip();
    Files.createDirectories(target("pod-2").getParent());
    Files.createFile(target("pod-2"));
    Programs.run("mount", "--bind", device, target("pod-2").toString());
  }

  private int execute(String... arguments) {
    PrintWriter writer = new PrintWriter(said);
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--statedir=" + state);
    all.add("--rundir=" + root.resolve("run"));
    return Main.execute(
        Main.commandLine(Map.of()).setOut(writer).setErr(writer), all.toArray(String[]::new));
  }

  private void assertExit(int code, String words, String... arguments) {
    said.getBuffer().setLength(0);
    assertThat(execute(arguments)).as(said.toString()).isEqualTo(code);
    assertThat(said.toString()).contains(words);
  }

  private void assertPodsGoOn() throws IOException {
    assertThat(target("pod-1").resolve("file")).hasContent("of the volume");
    assertThat(MountTable.read().at(target("pod-2"))).isPresent();
  }

  @Test
  void podsGoOnAndWhatWasPublishedCanBeUnpublished() throws Exception {
    publish();
    try (BufferedReader open = Files.newBufferedReader(target("pod-1").resolve("file"))) {
      assertExit(0, "3 objects were taken over", "import", state.toString());
      assertThat(open.readLine()).isEqualTo("of the volume");
    }
    assertPodsGoOn();
    Files.writeString(target("pod-1").resolve("later"), "by the pod");

    try (ServedDriver driver = ServedDriver.start(root)) {
      assertThat(driver.create(Requests.create("pvc-1")).getVolumeId()).isEqualTo(VOLUME);
      assertThat(driver.create(Requests.create("pvc-1")).getVolumeId()).isEqualTo(VOLUME);
      assertThat(driver.create(Requests.blockVolume("pvc-2", BYTES)).getVolumeId())
          .isEqualTo(BLOCK);
      Path second = driver.publish(VOLUME, "pod-3", MOUNT, false);
      assertThat(second.resolve("later")).hasContent("by the pod");

      driver.unpublish(VOLUME, "pod-3");
      driver.unpublish(VOLUME, "pod-1");
      driver.unstage(VOLUME);
      driver.unpublish(BLOCK, "pod-2");
      driver.unstage(BLOCK);
      assertThat(target("pod-1")).doesNotExist();
      assertThat(MountTable.read().below(root)).isEmpty();
      assertThat(Loops.below(root)).isEmpty();

      Path staged = driver.stage(BLOCK, Requests.block(Mode.SINGLE_NODE_MULTI_WRITER));
      assertThat(Loops.below(root)).hasSize(1);
      assertThat(staged).isEmptyDirectory();
      driver.unstage(BLOCK);
      driver.delete(VOLUME);
      driver.delete(BLOCK);
    }
    assertThat(StateListing.read(state).volumes()).isEmpty();
  }

  @Test
  void anArchiveBecomesAnEqualDirectory() throws Exception {
    assertExit(0, "unpacked", "import", state.toString());

    Path copy = StateListing.read(state).snapshots().getFirst().data();
    assertThat(copy.resolve("file")).hasContent("of the volume");
    assertThat(Programs.run("stat", "-c", "%a %u %g", copy.resolve("file").toString()).strip())
        .isEqualTo("6751 1234 5678");
    assertThat(Files.readSymbolicLink(copy.resolve("link"))).hasToString("/etc/hostname");
    assertThat(Files.getLastModifiedTime(copy.resolve("link"), LinkOption.NOFOLLOW_LINKS))
        .hasToString("2001-02-03T04:05:06Z");
    assertThat(Programs.run("stat", "-c", "%F", copy.resolve("fifo").toString()).strip())
        .isEqualTo("fifo");
    try (ServedDriver driver = ServedDriver.start(root)) {
      String id =
          driver
              .create(
                  Requests.create("restored")
                      .setVolumeContentSource(Requests.fromSnapshot(SNAPSHOT)))
              .getVolumeId();
      assertThat(driver.data(id).resolve("file")).hasContent("of the volume");
    }
  }

  @Test
  void aFailureInTheMiddleIsFollowedByAnotherRunOrRolledBack() throws Exception {
    publish();
    Path archive = state.resolve(SNAPSHOT + ".snap");
    byte[] whole = Files.readAllBytes(archive);
    Files.write(archive, new byte[] {0x1f, (byte) 0x8b, 8, 0});

    assertExit(1, "tar failed", "import", state.toString());
    assertPodsGoOn();
    assertExit(1, "is not finished", "--nodeid=n", "--endpoint=unix://" + root.resolve("s"));
    assertExit(0, "3 objects are where they were", "import", state.toString(), "--rollback");
    assertPodsGoOn();
    assertThat(state.resolve(VOLUME).resolve("file")).hasContent("of the volume");
    assertThat(state.resolve(BLOCK)).isRegularFile();
    assertExit(1, "tar failed", "import", state.toString());
    Files.write(archive, whole);
    assertExit(0, "going on with an import", "import", state.toString());
    assertPodsGoOn();
    assertExit(1, "there is no", "import", state.toString());
    assertExit(1, "no unfinished import", "import", state.toString(), "--rollback");
  }

  @Test
  void fromAnotherFileSystemAllIsCopiedUnlessItIsMounted() throws Exception {
    Path other = mounts.tmpfs("other", "64m");
    Path old = state;
    state = other.resolve("state");
    publishAt(old);
    assertExit(1, "it is mounted at", "import", old.toString());
    assertThat(state)
        .satisfiesAnyOf(
            path -> assertThat(path).doesNotExist(),
            path -> assertThat(StateListing.read(path).volumes()).isEmpty());
    Programs.run("umount", target("pod-1").toString());

    assertExit(0, "remove it when you like", "import", old.toString());

    Path copy =
        StateListing.read(state).volumes().stream()
            .map(StateListing.Entry::data)
            .filter(Files::isDirectory)
            .findFirst()
            .orElseThrow();
    assertThat(Programs.run("stat", "-c", "%a %u %g", copy.resolve("file").toString()).strip())
        .isEqualTo("6751 1234 5678");
    assertThat(old.resolve(VOLUME).resolve("file")).hasContent("of the volume");
  }

  private void publishAt(Path old) throws IOException {
    Files.createDirectories(target("pod-1"));
    Programs.run("mount", "--bind", old.resolve(VOLUME).toString(), target("pod-1").toString());
  }

  @Test
  void theListingTellsOfUsersAndPurgeRefusesThem() throws Exception {
    publish();
    assertExit(0, "taken over", "import", state.toString());
    Path known = Files.writeString(root.resolve("known"), BLOCK + "\n");

    assertExit(0, target("pod-1").toString(), "volumes", "--known-ids=" + known);
    assertThat(said.toString()).contains("unknown  " + VOLUME).contains("/dev/loop");
    assertExit(0, "\"usedBytes\": \"4096\"", "volumes", "--output=json");
    assertExit(1, "it is mounted at " + target("pod-1"), "volumes", "purge", VOLUME);
    assertExit(1, "it is mounted at " + target("pod-2"), "volumes", "purge", BLOCK);
    Programs.run("umount", target("pod-2").toString());
    assertExit(1, "it is attached as /dev/loop", "volumes", "purge", BLOCK);
    Programs.run("umount", target("pod-1").toString());
    assertExit(1, "is among --known-ids", "volumes", "purge", BLOCK, "--known-ids=" + known);
    assertExit(0, VOLUME + " is deleted", "volumes", "purge", VOLUME, "--known-ids=" + known);
    assertThat(StateListing.read(state).volumes()).hasSize(1);
  }

  @Test
  void aDriverThatRunsIsLookedAtButNotWorkedOn() throws Exception {
    assertExit(0, "taken over", "import", state.toString());
    try (ServedDriver driver = ServedDriver.start(root)) {
      String id = driver.create(Requests.create("new")).getVolumeId();
      assertExit(0, id, "volumes");
      assertExit(1, "is in use by another process", "volumes", "purge", id);
      assertExit(1, "is in use by another process", "volumes", "adopt", id, "--name=n");
      Files.writeString(state.resolve("state.json"), "{}");
      assertExit(1, "is in use by another process", "import", state.toString());
    }
  }

  @Test
  void wrongFlagsAreSaidSo() {
    assertExit(2, "stands before the command", "--nodeid=x", "import", state.toString());
    assertExit(2, "stands before the command", "volumes", "--known-ids=x", "purge", VOLUME);
    assertExit(2, "exclude each other", "import", state.toString(), "--dry-run", "--rollback");
    assertExit(2, "--output is table or json", "volumes", "--output=xml");
    assertExit(2, "Missing required parameter", "import");
    assertExit(2, "Unknown option", "volumes", "--nonsense");
    assertExit(0, "nothing was changed", "import", state.toString(), "--dry-run");
  }
}
