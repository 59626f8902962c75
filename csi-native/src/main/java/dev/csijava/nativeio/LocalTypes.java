package dev.csijava.nativeio;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * File systems whose kernel code waits for nobody but disks, by name and by the kernel's number.
 */
final class LocalTypes {
  private static final Map<String, Long> NUMBERS =
      Map.ofEntries(
          Map.entry("ext2", 0xef53L),
          Map.entry("ext3", 0xef53L),
          Map.entry("ext4", 0xef53L),
          Map.entry("xfs", 0x58465342L),
          Map.entry("btrfs", 0x9123683eL),
          Map.entry("f2fs", 0xf2f52010L),
          Map.entry("zfs", 0x2fc12fc1L),
          Map.entry("bcachefs", 0xca451a4eL),
          Map.entry("overlay", 0x794c7630L),
          Map.entry("tmpfs", 0x1021994L),
          Map.entry("devtmpfs", 0x1021994L),
          Map.entry("ramfs", 0x858458f6L),
          Map.entry("hugetlbfs", 0x958458f6L),
          Map.entry("squashfs", 0x73717368L),
          Map.entry("erofs", 0xe0f5e1e2L),
          Map.entry("iso9660", 0x9660L),
          Map.entry("vfat", 0x4d44L),
          Map.entry("proc", 0x9fa0L),
          Map.entry("sysfs", 0x62656572L));

  private static final Set<Long> ALL = new HashSet<>(NUMBERS.values());

  private LocalTypes() {}

  static boolean contains(String name) {
    return NUMBERS.containsKey(name);
  }

  static boolean contains(long number) {
    return ALL.contains(number);
  }
}
