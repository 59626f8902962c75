package dev.csijava.hostpath.admin;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.csijava.hostpath.admin.state.GoState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The state of the Go driver, as it lies in {@code state.json}.
 *
 * @param state what it says
 * @param sha256 of its bytes, in hex
 */
record GoStateFile(GoState state, String sha256) {
  static final String NAME = "state.json";
  private static final long LARGEST = 512L << 20;

  /**
   * Reads it.
   *
   * @param directory of the Go driver
   * @throws RefusedException if it is not there or is no such state
   */
  static GoStateFile read(Path directory) throws IOException, RefusedException {
    byte[] bytes = bytes(directory);
    GoState.Builder state = GoState.newBuilder();
    try {
      // Fields that a newer Go driver may have are nothing that this one could serve.
      JsonFormat.parser()
          .ignoringUnknownFields()
          .merge(new String(bytes, StandardCharsets.UTF_8), state);
    } catch (InvalidProtocolBufferException e) {
      throw new RefusedException(
          directory.resolve(NAME)
              + " is not a whole state of the Go driver (a crash while it is written leaves it cut"
              + " short): "
              + e.getMessage());
    }
    return new GoStateFile(state.build(), sha256(bytes));
  }

  private static byte[] bytes(Path directory) throws IOException, RefusedException {
    Path file = directory.resolve(NAME);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new RefusedException(
          "there is no " + file + "; name the directory that the Go driver has as --statedir");
    }
    if (Files.size(file) > LARGEST) {
      throw new RefusedException(file + " is too large to be the state of a driver");
    }
    return Files.readAllBytes(file);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
