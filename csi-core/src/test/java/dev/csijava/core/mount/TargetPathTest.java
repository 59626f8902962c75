package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.csijava.core.CsiException;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetPathTest {
  private FileSystem jimfs;
  private FakeKernel kernel;
  private Mounter mounter;

  @BeforeEach
  void setUp() throws IOException {
    jimfs =
        Jimfs.newFileSystem(
            Configuration.unix().toBuilder().setAttributeViews("posix", "unix").build());
    kernel = new FakeKernel(jimfs);
    mounter = kernel.mounter();
    Files.createDirectories(jimfs.getPath("/pods"));
  }

  @AfterEach
  void tearDown() throws IOException {
    jimfs.close();
  }

  private TargetPath target(String path) {
    return TargetPath.of("target_path", path, jimfs);
  }

  private static void fails(Code code, ThrowingCallable call) {
    CsiException error = catchThrowableOfType(CsiException.class, call);
    assertThat(error).isNotNull();
    assertThat(error.code()).isEqualTo(code);
    assertThat(error).hasMessageStartingWith("target_path");
  }

  @ParameterizedTest
  @CsvSource({
    "'', is missing",
    "pods/t, absolute",
    "./t, absolute",
    "/, root directory",
    "//, normalised",
    "/pods/../t, normalised",
    "/pods/./t, normalised",
    "/pods//t, normalised",
    "/pods/t/, normalised",
    "/.., normalised"
  })
  void aPathInAnotherFormIsRefusedWithItsFieldAndReason(String path, String reason) {
    CsiException error = catchThrowableOfType(CsiException.class, () -> target(path));
    assertThat(error.code()).isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(error).hasMessageStartingWith("target_path ").hasMessageContaining(reason);
  }

  @Test
  void lengthIsCountedInBytes() {
    fails(Code.INVALID_ARGUMENT, () -> target("/" + "a".repeat(256)));
    fails(Code.INVALID_ARGUMENT, () -> target("/" + "ü".repeat(128)));
    fails(Code.INVALID_ARGUMENT, () -> target("/a".repeat(2048)));
    fails(Code.INVALID_ARGUMENT, () -> target("/a\0b"));
    assertThat(target("/" + "ü".repeat(127) + "a").path().getNameCount()).isEqualTo(1);
    assertThat(target("/a".repeat(2046) + "/ab").path().getNameCount()).isEqualTo(2047);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a b", "/-dash", "/new\nline", "/größe", "/..a", "/a..", "/...", "/\\x"})
  void unusualNamesArePaths(String path) {
    assertThat(target(path).path()).isEqualTo(jimfs.getPath(path));
    assertThat(TargetPath.of("target_path", path).path().getNameCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("B124 a directory gets mode 0750, and one that is there keeps its own")
  void aDirectoryIsMadeOnce() throws IOException {
    TargetPath target = target("/pods/t");
    assertThat(target.createDirectory(mounter)).isTrue();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target.path())))
        .isEqualTo("rwxr-x---");
    Files.setPosixFilePermissions(target.path(), PosixFilePermissions.fromString("rwx------"));
    assertThat(target.createDirectory(mounter)).isFalse();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target.path())))
        .isEqualTo("rwx------");
  }

  @Test
  void aFileIsMadeOnce() throws IOException {
    TargetPath target = target("/pods/f");
    assertThat(target.createFile(mounter)).isTrue();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target.path())))
        .isEqualTo("rw-r-----");
    assertThat(target.createFile(mounter)).isFalse();
    assertThat(Files.size(target.path())).isZero();
  }

  @Test
  void whatIsThereButOfAnotherTypeIsRefused() throws IOException {
    Files.createDirectory(jimfs.getPath("/pods/d"));
    Files.createFile(jimfs.getPath("/pods/f"));
    Files.createSymbolicLink(jimfs.getPath("/pods/l"), jimfs.getPath("/pods/d"));
    Files.createSymbolicLink(jimfs.getPath("/pods/lf"), jimfs.getPath("/pods/f"));
    fails(Code.FAILED_PRECONDITION, () -> target("/pods/f").createDirectory(mounter));
    fails(Code.FAILED_PRECONDITION, () -> target("/pods/l").createDirectory(mounter));
    fails(Code.FAILED_PRECONDITION, () -> target("/pods/d").createFile(mounter));
    fails(Code.FAILED_PRECONDITION, () -> target("/pods/lf").createFile(mounter));
  }

  @Test
  void aMissingParentIsTheCallersToMake() {
    fails(Code.FAILED_PRECONDITION, () -> target("/none/t").createDirectory(mounter));
    fails(Code.FAILED_PRECONDITION, () -> target("/none/t").createFile(mounter));
    assertThat(jimfs.getPath("/none")).doesNotExist();
  }

  @Test
  @DisplayName("B055 a mounted target counts as there and is not looked at")
  void aMountedTargetIsNotLookedAt() throws IOException {
    Files.createFile(jimfs.getPath("/pods/t"));
    kernel.line("50 1 0:77 / /pods/t rw - fuse dead rw");
    assertThat(target("/pods/t").createDirectory(mounter)).isFalse();
  }

  @Test
  @DisplayName("B003 a mounted target is not removed")
  void aMountedTargetIsNotRemoved() throws IOException {
    Files.createDirectory(jimfs.getPath("/pods/t"));
    kernel.line("50 1 8:1 /x /pods/t rw - ext4 d rw");
    fails(Code.FAILED_PRECONDITION, () -> target("/pods/t").remove(mounter));
    assertThat(jimfs.getPath("/pods/t")).exists();
  }

  @Test
  @DisplayName("B040 an empty directory goes, one with contents stays and is an error")
  void onlyEmptyThingsAreRemoved() throws IOException {
    Path empty = Files.createDirectory(jimfs.getPath("/pods/empty"));
    target("/pods/empty").remove(mounter);
    assertThat(empty).doesNotExist();

    Path inside = jimfs.getPath("/pods/full/file");
    Files.createDirectory(jimfs.getPath("/pods/full"));
    Files.createFile(inside);
    fails(Code.FAILED_PRECONDITION, () -> target("/pods/full").remove(mounter));
    assertThat(inside).exists();

    Path file = Files.createFile(jimfs.getPath("/pods/file"));
    target("/pods/file").remove(mounter);
    assertThat(file).doesNotExist();
    Files.writeString(file, "data");
    fails(Code.FAILED_PRECONDITION, () -> target("/pods/file").remove(mounter));
    assertThat(file).exists();
  }

  @Test
  @DisplayName("B056 what is missing is removed already")
  void whatIsMissingIsRemovedAlready() throws IOException {
    target("/pods/none").remove(mounter);
    target("/none/none/none").remove(mounter);
    Files.createFile(jimfs.getPath("/pods/f"));
    target("/pods/f/x").remove(mounter);
  }

  @Test
  void aStagingPathMustBeADirectoryAndNoLinkToOne() throws IOException {
    Files.createDirectory(jimfs.getPath("/pods/staging"));
    target("/pods/staging").requireDirectory(mounter);

    Files.createFile(jimfs.getPath("/pods/file"));
    Files.createSymbolicLink(jimfs.getPath("/pods/link"), jimfs.getPath("/pods/staging"));
    for (String path : new String[] {"/pods/file", "/pods/link", "/pods/none"}) {
      fails(Code.INVALID_ARGUMENT, () -> target(path).requireDirectory(mounter));
    }
  }

  @Test
  void aLinkIsNotRemovedNorFollowed() throws IOException {
    Path victim = Files.createDirectory(jimfs.getPath("/victim"));
    Path link = Files.createSymbolicLink(jimfs.getPath("/pods/l"), victim);
    fails(Code.FAILED_PRECONDITION, () -> target("/pods/l").remove(mounter));
    assertThat(victim).exists();
    assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }
}
