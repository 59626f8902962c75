package dev.csijava.nativeio;

import static dev.csijava.core.mount.MountsBelow.run;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.mount.MountsBelow;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names in directories, by descriptor. Needs root. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenDirectoryIT {
  private static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06.123456789Z");
  private static final Instant LONGER_AGO = Instant.parse("1969-12-31T23:59:58.987654321Z");

  @TempDir Path temporary;

  private MountsBelow mounts;
  private Path path;
  private OpenDirectory directory;

  @BeforeEach
  void setUp() throws Exception {
    MountsBelow.assumePermitted(temporary.toRealPath());
    mounts = new MountsBelow(temporary.toRealPath());
    path = Files.createDirectory(temporary.toRealPath().resolve("d"));
    directory = OpenDirectory.at(path);
  }

  @AfterEach
  void tearDown() throws Exception {
    Beneath.useRestricted(true);
    if (mounts != null) {
      directory.close();
      mounts.clean();
    }
  }

  private static FileName name(String text) {
    return FileName.of(text);
  }

  private static String error(ThrowingCallable call) {
    LinuxException error = catchThrowableOfType(LinuxException.class, call);
    assertThat(error).as("an error").isNotNull();
    return String.valueOf(error.getMessage());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("B020 no name leads out of the directory, by openat2 or without it")
  void noNameLeadsOutOfTheDirectory(boolean openat2) throws Exception {
    Beneath.useRestricted(openat2);
    String call = openat2 ? "openat2" : "openat";
    Files.createSymbolicLink(path.resolve("link"), Path.of("/etc"));
    Path mounted = Files.createDirectory(path.resolve("mounted"));
    Files.createDirectory(path.resolve("inner"));
    run("mount", "-n", "-t", "tmpfs", "t", mounted.toString());
    assertThat(error(() -> directory.directory(name("link"))))
        .isIn(call + " answered ELOOP", call + " answered ENOTDIR");
    assertThat(error(() -> directory.directory(name("mounted"))))
        .isEqualTo(call + " answered EXDEV");
    assertThat(error(() -> directory.entry(name("mounted")))).isEqualTo(call + " answered EXDEV");
    assertThat(error(() -> directory.directory(name("none")))).isEqualTo(call + " answered ENOENT");
    assertThat(error(() -> directory.makeFile(name("link"), 0600)))
        .isEqualTo(call + " answered EEXIST");
    assertThat(error(() -> directory.removeDirectory(name("mounted"))))
        .isEqualTo("unlinkat answered EBUSY");
    directory.directory(name("inner")).close();
    try (OpenNode link = directory.entry(name("link"))) {
      assertThat(link.status().type()).isEqualTo(NodeType.LINK);
      assertThat(new String(link.linkTarget(), UTF_8)).isEqualTo("/etc");
      assertThat(error(link::openDirectory)).contains("ENOTDIR");
      assertThat(error(() -> link.openFile(OpenFile.Access.READ))).contains("EINVAL");
    }
  }

  @Test
  void aDirectoryIsOpenedAsItselfOnly() throws Exception {
    Path link = Files.createSymbolicLink(temporary.resolve("to-d"), path);
    assertThat(error(() -> OpenDirectory.at(link))).contains("ENOTDIR");
    assertThat(error(() -> OpenDirectory.at(temporary.resolve("none")))).contains("ENOENT");
  }

  @Test
  void everyKindOfEntryIsMadeAndRead() throws Exception {
    directory.makeDirectory(name("dir"), 0750);
    directory.makeFile(name("file"), 0640).close();
    directory.makeLink(name("link"), "nowhere".getBytes(UTF_8));
    DeviceNumber none = new DeviceNumber(0, 0);
    directory.makeSpecial(name("fifo"), NodeType.FIFO, 0600, none);
    directory.makeSpecial(name("socket"), NodeType.SOCKET, 0600, none);
    DeviceNumber odd = new DeviceNumber(259, 70_000);
    directory.makeSpecial(name("block"), NodeType.BLOCK_DEVICE, 0600, odd);
    directory.makeSpecial(name("character"), NodeType.CHARACTER_DEVICE, 0600, odd);
    List<String> seen = new ArrayList<>();
    for (List<DirectoryEntry> some = directory.nextEntries();
        !some.isEmpty();
        some = directory.nextEntries()) {
      for (DirectoryEntry one : some) {
        seen.add(one.name() + " " + one.type());
        try (OpenNode node = directory.entry(one.name())) {
          assertThat(node.status().type()).isEqualTo(one.type());
        }
      }
    }
    assertThat(seen)
        .containsExactlyInAnyOrder(
            "dir DIRECTORY",
            "file FILE",
            "link LINK",
            "fifo FIFO",
            "socket SOCKET",
            "block BLOCK_DEVICE",
            "character CHARACTER_DEVICE");
    try (OpenNode device = directory.entry(name("block"))) {
      assertThat(device.status().device()).isEqualTo(odd);
      assertThat(Files.getAttribute(path.resolve("block"), "unix:rdev")).isEqualTo(odd.packed());
    }
    directory.rewind();
    assertThat(directory.nextEntries()).hasSize(7);
    directory.sync();
  }

  @Test
  void aNameIsBytes() throws Exception {
    FileName odd = FileName.of(new byte[] {(byte) 0xff, '\n', (byte) 0xfe, ' '});
    directory.makeDirectory(odd, 0700);
    assertThat(directory.nextEntries())
        .containsExactly(new DirectoryEntry(odd, NodeType.DIRECTORY));
    directory.removeDirectory(odd);
    for (String bad : new String[] {"", ".", "..", "a/b", "a\0b"}) {
      assertThat(catchThrowableOfType(IllegalArgumentException.class, () -> FileName.of(bad)))
          .as(bad)
          .isNotNull();
    }
    assertThat(FileName.of("...")).hasToString("...");
    assertThat(error(() -> directory.makeDirectory(name("x".repeat(256)), 0700)))
        .isEqualTo("mkdirat answered ENAMETOOLONG");
  }

  @Test
  void aHeldEntryGetsAnotherNameALinkItself() throws Exception {
    Files.writeString(path.resolve("file"), "x");
    Files.createSymbolicLink(path.resolve("link"), Path.of("file"));
    for (String one : new String[] {"file", "link"}) {
      try (OpenNode node = directory.entry(name(one))) {
        directory.addName(name(one + "-2"), node);
        try (OpenNode second = directory.entry(name(one + "-2"))) {
          assertThat(second.status().sameNode(node.status())).isTrue();
          assertThat(second.status().links()).isEqualTo(2);
        }
        assertThat(error(() -> directory.addName(name(one + "-2"), node)))
            .isEqualTo("linkat answered EEXIST");
      }
    }
    Path other = Files.createDirectory(temporary.toRealPath().resolve("other"));
    run("mount", "-n", "-t", "tmpfs", "t", other.toString());
    try (OpenNode node = directory.entry(name("file"));
        OpenDirectory elsewhere = OpenDirectory.at(other)) {
      assertThat(error(() -> elsewhere.addName(name("f"), node)))
          .isEqualTo("linkat answered EXDEV");
    }
  }

  @Test
  void aRenameDoesWhatItsRuleSays() throws Exception {
    Files.writeString(path.resolve("a"), "a");
    Files.writeString(path.resolve("b"), "b");
    assertThat(error(() -> directory.rename(name("a"), directory, name("b"), RenameRule.KEEP)))
        .isEqualTo("renameat2 answered EEXIST");
    directory.rename(name("a"), directory, name("b"), RenameRule.EXCHANGE);
    assertThat(path.resolve("a")).hasContent("b");
    directory.rename(name("a"), directory, name("b"), RenameRule.REPLACE);
    assertThat(path.resolve("b")).hasContent("b");
    assertThat(path.resolve("a")).doesNotExist();
    directory.removeFile(name("b"));
    directory.makeDirectory(name("full"), 0700);
    Files.createFile(path.resolve("full/x"));
    assertThat(error(() -> directory.removeDirectory(name("full"))))
        .isEqualTo("unlinkat answered ENOTEMPTY");
    assertThat(error(() -> directory.removeFile(name("full"))))
        .isEqualTo("unlinkat answered EISDIR");
    assertThat(error(() -> directory.removeFile(name("none"))))
        .isEqualTo("unlinkat answered ENOENT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dir", "link", "fifo"})
  void ownerModeAndTimesAreThoseOfTheEntryItself(String kind) throws Exception {
    make(kind);
    try (OpenNode node = directory.entry(name(kind))) {
      node.setOwner(1234, 70_000);
      if (kind.equals("link")) {
        assertThat(error(() -> node.setMode(0600))).isEqualTo("fchmodat answered EOPNOTSUPP");
      } else {
        node.setMode(06751);
        assertThat(node.status().mode()).isEqualTo(06751);
      }
      node.setTimes(LONGER_AGO, LONG_AGO);
      NodeStatus status = node.status();
      assertThat(status.user()).isEqualTo(1234);
      assertThat(status.group()).isEqualTo(70_000);
      assertThat(status.modified()).isEqualTo(LONG_AGO);
      assertThat(status.accessed()).isEqualTo(LONGER_AGO);
    }
    assertThat(Files.getLastModifiedTime(path.resolve(kind), LinkOption.NOFOLLOW_LINKS).toInstant())
        .isEqualTo(LONG_AGO);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dir", "link", "fifo"})
  void attributesAreThoseOfTheEntryItself(String kind) throws Exception {
    make(kind);
    byte[] value = {0, 1, (byte) 0xff, 0};
    try (OpenNode node = directory.entry(name(kind))) {
      node.setAttribute("trusted.csi-java", value);
      assertThat(node.attribute("trusted.csi-java")).contains(value);
      assertThat(node.attributeNames()).contains("trusted.csi-java");
      assertThat(node.attribute("trusted.none")).isEmpty();
      if (kind.equals("link") || kind.equals("fifo")) {
        assertThat(error(() -> node.setAttribute("user.x", value)))
            .isEqualTo("setxattr answered EPERM");
      } else {
        node.setAttribute("user.large", new byte[3000]);
        assertThat(node.attribute("user.large").orElseThrow()).hasSize(3000);
        assertThat(node.attributeNames()).contains("user.large", "trusted.csi-java");
      }
      node.removeAttribute("trusted.csi-java");
      node.removeAttribute("trusted.csi-java");
      assertThat(node.attribute("trusted.csi-java")).isEmpty();
    }
  }

  private void make(String kind) throws Exception {
    switch (kind) {
      case "file" -> directory.makeFile(name(kind), 0600).close();
      case "dir" -> directory.makeDirectory(name(kind), 0700);
      case "link" -> directory.makeLink(name(kind), "nowhere".getBytes(UTF_8));
      default -> directory.makeSpecial(name(kind), NodeType.FIFO, 0600, new DeviceNumber(0, 0));
    }
  }
}
