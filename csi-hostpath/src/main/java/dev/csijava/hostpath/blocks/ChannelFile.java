package dev.csijava.hostpath.blocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Without native access: all of it may be data, and only reading tells what differs. */
record ChannelFile(FileChannel channel) implements SnapshotFile {
  static SnapshotFile open(Path path) throws IOException {
    return new ChannelFile(
        FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public boolean sharesPlacesWith(SnapshotFile other) {
    return false;
  }

  @Override
  public Runs runs(long start, long end) {
    Iterator<Run> one = (start < end ? List.of(Run.data(start, end)) : List.<Run>of()).iterator();
    return () -> one.hasNext() ? Optional.of(one.next()) : Optional.empty();
  }

  @Override
  public void read(long offset, byte[] into, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, offset + buffer.position()) < 0) {
        throw new IOException("the file of the snapshot is shorter than it was");
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
