package dev.csijava.core.mount;

import dev.csijava.spec.v1.VolumeUsage.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How full a volume is.
 *
 * @param bytes room in bytes
 * @param inodes room for files; empty for a block volume and for a file system that sets no limit
 * @since 0.1.0
 */
public record VolumeUsage(Amount bytes, Optional<Amount> inodes) {
  /**
   * One kind of room. A block volume has a total only, and the others are 0, as the message has it
   * where a value is not known (rule K10).
   *
   * @param total all there is
   * @param available what an ordinary user can still take
   * @param used what is taken; less than {@code total - available} where some is reserved
   * @since 0.1.0
   */
  public record Amount(long total, long available, long used) {}

  /**
   * Of a block volume, whose contents are nobody's business.
   *
   * @param totalBytes its size
   * @since 0.1.0
   */
  public static VolumeUsage ofBlock(long totalBytes) {
    return new VolumeUsage(new Amount(totalBytes, 0, 0), Optional.empty());
  }

  /**
   * As NodeGetVolumeStats answers it.
   *
   * @return an immutable list: bytes, then inodes if they are known
   * @since 0.1.0
   */
  public List<dev.csijava.spec.v1.VolumeUsage> toMessages() {
    List<dev.csijava.spec.v1.VolumeUsage> messages = new ArrayList<>();
    messages.add(message(bytes, Unit.BYTES));
    inodes.ifPresent(amount -> messages.add(message(amount, Unit.INODES)));
    return List.copyOf(messages);
  }

  private static dev.csijava.spec.v1.VolumeUsage message(Amount amount, Unit unit) {
    return dev.csijava.spec.v1.VolumeUsage.newBuilder()
        .setTotal(amount.total())
        .setAvailable(amount.available())
        .setUsed(amount.used())
        .setUnit(unit)
        .build();
  }
}
