package dev.csijava.hostpath.backing;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.mount.FileSystemType;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MountFlagsTest {
  private static final Pattern NAME = Pattern.compile("`([a-z0-9_]+)`");

  @ParameterizedTest
  @EnumSource(FileSystemType.class)
  void theDocumentListsWhatAnImageKeeps(FileSystemType type) throws IOException {
    String text = Files.readString(Path.of("..", "docs", "hostpath.md"));
    int start = text.indexOf("- an image with " + type.typeName());
    Set<String> listed = new TreeSet<>();
    Matcher name = NAME.matcher(text.substring(start).split("[;.]\n", 2)[0]);
    while (name.find()) {
      listed.add(name.group(1));
    }
    assertThat(listed).isEqualTo(MountFlags.ofFileSystem(type));
  }

  @Test
  void theRefusalOfAnImageDoesNotSpeakOfBindMounts() {
    for (FileSystemType type : FileSystemType.values()) {
      assertThat(
              assertFails(
                      Status.Code.INVALID_ARGUMENT,
                      () -> MountFlags.ofImage(List.of("noatime,usrquota"), type))
                  .getMessage())
          .contains("an image with " + type.typeName(), "hostpath.md")
          .doesNotContain("bind", "usrquota")
          .hasSizeLessThanOrEqualTo(128);
    }
  }
}
