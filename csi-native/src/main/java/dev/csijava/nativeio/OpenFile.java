package dev.csijava.nativeio;

import java.util.OptionalLong;

/**
 * An open regular file or block device, for its content. Offsets and lengths are in bytes.
 *
 * @since 0.1.0
 */
public final class OpenFile extends OpenNode {
  /**
   * What it is opened for.
   *
   * @since 0.1.0
   */
  public enum Access {
    /** Reading. */
    READ(Descriptor.READ),
    /** Reading and writing. */
    READ_WRITE(Descriptor.READ_WRITE);

    private final int flags;

    Access(int flags) {
      this.flags = flags;
    }

    int flags() {
      return flags;
    }
  }

  OpenFile(Descriptor descriptor) {
    super(descriptor);
  }

  /**
   * Makes it this long, at the end with a hole.
   *
   * @since 0.1.0
   */
  public void setSize(long size) throws LinuxException {
    DataCalls.setSize(descriptor(), size);
  }

  /**
   * Reads from this offset on, holes as zeros.
   *
   * @return how many bytes; less than there is room for only at the end of the file
   * @since 0.1.0
   */
  public int read(long offset, byte[] into) throws LinuxException {
    return DataCalls.read(descriptor(), offset, into);
  }

  /**
   * Where data begins, at or after this offset.
   *
   * @return empty if there are only holes from there on
   * @since 0.1.0
   */
  public OptionalLong nextData(long from) throws LinuxException {
    return DataCalls.nextData(descriptor(), from);
  }

  /**
   * Where a hole begins, at or after this offset; at the latest the end of the file.
   *
   * @throws LinuxException ENXIO if the offset is at or behind the end
   * @since 0.1.0
   */
  public long nextHole(long from) throws LinuxException {
    return DataCalls.nextHole(descriptor(), from);
  }

  /**
   * Copies a range to the same offsets of another file, within the kernel where it can. Blocks
   * until all is copied or the end of this file is reached.
   *
   * @return how many bytes were copied; less than asked for only at the end of this file
   * @since 0.1.0
   */
  public long copyTo(OpenFile target, long offset, long length) throws LinuxException {
    return RangeCopy.copy(descriptor(), target.descriptor(), offset, length);
  }

  /**
   * Makes this empty file share all blocks with another (reflink): independent of its size, at one
   * moment, and changes of one are not seen in the other.
   *
   * @return whether the file system could; if not, nothing happened
   * @throws LinuxException of any other kind, EIO or ENOSPC for example
   * @since 0.1.0
   */
  public boolean shareBlocksOf(OpenFile source) throws LinuxException {
    return DataCalls.shareBlocks(source.descriptor(), descriptor());
  }

  /**
   * Reserves room on disk for a range, so that writing there can't fail for want of it; the file
   * grows where the range ends behind its end.
   *
   * @throws LinuxException ENOSPC; EOPNOTSUPP if the file system can't
   * @since 0.1.0
   */
  public void allocate(long offset, long length) throws LinuxException {
    DataCalls.allocate(descriptor(), offset, length);
  }

  /**
   * Makes a hole of a range: it reads as zeros and takes no room. The size stays.
   *
   * @throws LinuxException EOPNOTSUPP if the file system or the device can't
   * @since 0.1.0
   */
  public void punchHole(long offset, long length) throws LinuxException {
    DataCalls.punchHole(descriptor(), offset, length);
  }

  /**
   * Makes a range read as zeros and keeps its room. The size stays.
   *
   * @throws LinuxException EOPNOTSUPP if the file system or the device can't
   * @since 0.1.0
   */
  public void zeroRange(long offset, long length) throws LinuxException {
    DataCalls.zeroRange(descriptor(), offset, length);
  }

  /**
   * Where its content lies, from this offset on.
   *
   * @since 0.1.0
   */
  public ExtentMap extents(long from) {
    return new ExtentMap(descriptor(), from);
  }

  /**
   * Returns when content and status are on disk.
   *
   * @since 0.1.0
   */
  public void sync() throws LinuxException {
    DataCalls.sync(descriptor());
  }

  /**
   * Returns when the content, and what is needed to read it, is on disk.
   *
   * @since 0.1.0
   */
  public void syncData() throws LinuxException {
    DataCalls.syncData(descriptor());
  }

  /**
   * Returns when all of the file system that it lies on is on disk.
   *
   * @since 0.1.0
   */
  public void syncFileSystem() throws LinuxException {
    DataCalls.syncFileSystem(descriptor());
  }

  /**
   * Locks it for this open file alone, as flock(2) does; closing it unlocks.
   *
   * @return false if somebody else holds the lock
   * @since 0.1.0
   */
  public boolean tryLock() throws LinuxException {
    return DataCalls.tryLock(descriptor());
  }

  /**
   * Lets go of the lock.
   *
   * @since 0.1.0
   */
  public void unlock() throws LinuxException {
    DataCalls.unlock(descriptor());
  }
}
