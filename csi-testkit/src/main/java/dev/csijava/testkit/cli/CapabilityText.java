package dev.csijava.testkit.cli;

import com.google.common.base.Splitter;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeCapability.BlockVolume;
import dev.csijava.spec.v1.VolumeCapability.MountVolume;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Volume capabilities on the command line: {@code mode,type[,fs[,flag...]]}, for example {@code
 * SINGLE_NODE_WRITER,mount,xfs,noatime} or {@code 5,block}.
 */
final class CapabilityText implements ITypeConverter<VolumeCapability> {
  @Override
  public VolumeCapability convert(String text) {
    List<String> parts = Splitter.on(',').trimResults().splitToList(text);
    if (parts.size() < 2) {
      throw new TypeConversionException(
          "'" + text + "' is no capability; write mode,type[,fs[,flag...]]");
    }
    VolumeCapability.Builder capability =
        VolumeCapability.newBuilder()
            .setAccessMode(AccessMode.newBuilder().setModeValue(mode(parts.get(0))));
    switch (parts.get(1).toLowerCase(Locale.ROOT)) {
      case "mount" -> capability.setMount(mount(parts));
      case "block" -> {
        if (parts.size() > 2) {
          throw new TypeConversionException("block has neither file system nor mount flags");
        }
        capability.setBlock(BlockVolume.getDefaultInstance());
      }
      default ->
          throw new TypeConversionException(
              "'" + parts.get(1) + "' is no access type; write mount or block");
    }
    return capability.build();
  }

  private static MountVolume mount(List<String> parts) {
    MountVolume.Builder mount = MountVolume.newBuilder();
    if (parts.size() > 2) {
      mount.setFsType(parts.get(2)).addAllMountFlags(parts.subList(3, parts.size()));
    }
    return mount.build();
  }

  private static int mode(String text) {
    if (!text.isEmpty() && text.chars().allMatch(Character::isDigit) && text.length() < 9) {
      return Integer.parseInt(text);
    }
    try {
      return Mode.valueOf(text.toUpperCase(Locale.ROOT)).getNumber();
    } catch (IllegalArgumentException e) {
      String known =
          Arrays.stream(Mode.values())
              .filter(mode -> mode != Mode.UNRECOGNIZED)
              .map(Enum::name)
              .collect(Collectors.joining(", "));
      throw new TypeConversionException("'" + text + "' is no access mode; there are " + known);
    }
  }
}
