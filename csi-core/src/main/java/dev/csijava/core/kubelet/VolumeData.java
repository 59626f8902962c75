package dev.csijava.core.kubelet;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The {@code vol_data.json} from which kubelet learns, after its restart, whose mount it has found.
 *
 * <p>There are three kinds: beside a staging path ({@link #staged}), in the parent of a publish
 * path ({@link #published}) and for a raw block volume ({@link #block}); {@link KubeletPaths} says
 * where each lies. The files are kubelet's: a driver may read them, must neither write nor remove
 * them, and must put no files of its own beside them. Simulators and tests write them.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class VolumeData {
  private static final String SPEC_VOLUME_ID = "specVolID";
  private static final String VOLUME_HANDLE = "volumeHandle";
  private static final String DRIVER_NAME = "driverName";
  private static final String NODE_NAME = "nodeName";
  private static final String ATTACHMENT_ID = "attachmentID";
  private static final String LIFECYCLE_MODE = "volumeLifecycleMode";
  private static final String SELINUX_CONTEXT = "seLinuxMountContext";
  private static final String[] KEYS = {
    SPEC_VOLUME_ID,
    VOLUME_HANDLE,
    DRIVER_NAME,
    NODE_NAME,
    ATTACHMENT_ID,
    LIFECYCLE_MODE,
    SELINUX_CONTEXT
  };

  /** Far above what kubelet writes; a file of another size is not its work. */
  private static final int LARGEST_FILE = 64 * 1024;

  private final SortedMap<String, String> values;

  private VolumeData(SortedMap<String, String> values) {
    this.values = Collections.unmodifiableSortedMap(values);
  }

  /**
   * What kubelet keeps beside the staging path of a volume with a file system.
   *
   * @param paths names the driver
   * @param volumeHandle the volume's id
   * @since 0.1.0
   */
  public static VolumeData staged(KubeletPaths paths, String volumeHandle) {
    SortedMap<String, String> values = new TreeMap<>();
    values.put(DRIVER_NAME, paths.driverName());
    values.put(VOLUME_HANDLE, volumeHandle);
    return new VolumeData(values);
  }

  /**
   * What kubelet keeps for a raw block volume.
   *
   * @param paths names the driver
   * @param volumeName the name of the PersistentVolume
   * @param volumeHandle the volume's id
   * @param nodeName the name of the Node object
   * @since 0.1.0
   */
  public static VolumeData block(
      KubeletPaths paths, String volumeName, String volumeHandle, String nodeName) {
    SortedMap<String, String> values = new TreeMap<>(staged(paths, volumeHandle).values);
    values.put(SPEC_VOLUME_ID, volumeName);
    values.put(NODE_NAME, nodeName);
    values.put(ATTACHMENT_ID, paths.attachmentName(volumeHandle, nodeName));
    return new VolumeData(values);
  }

  /**
   * What kubelet keeps in the parent of the publish path of a volume with a file system.
   *
   * @param paths names the driver
   * @param volumeName the name of the PersistentVolume; of an inline volume its name in the pod
   * @param volumeHandle the volume's id
   * @param nodeName the name of the Node object
   * @param ephemeral whether it is an inline volume
   * @since 0.1.0
   */
  public static VolumeData published(
      KubeletPaths paths,
      String volumeName,
      String volumeHandle,
      String nodeName,
      boolean ephemeral) {
    return block(paths, volumeName, volumeHandle, nodeName)
        .with(LIFECYCLE_MODE, ephemeral ? "Ephemeral" : "Persistent");
  }

  /**
   * The same with the SELinux label with which the volume is mounted.
   *
   * @since 0.1.0
   */
  public VolumeData withSeLinuxMountContext(String context) {
    return with(SELINUX_CONTEXT, context);
  }

  /**
   * Reads a file. Keys that are not known are ignored, in any order.
   *
   * @param file its absolute path
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws IOException if it can't be read, or is not what kubelet writes: the message says what
   *     is wrong
   * @since 0.1.0
   */
  public static VolumeData read(Path file) throws IOException {
    byte[] content;
    try (InputStream in = Files.newInputStream(file)) {
      content = in.readNBytes(LARGEST_FILE + 1);
    }
    try {
      if (content.length > LARGEST_FILE) {
        throw new IllegalArgumentException("it is larger than " + LARGEST_FILE + " bytes");
      }
      return parse(new String(content, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is not volume data of kubelet: " + e.getMessage(), e);
    }
  }

  /**
   * Reads the content of such a file.
   *
   * @throws IllegalArgumentException if it is not a JSON object, a value is not a string, or the
   *     driver's name or the volume handle is missing
   * @since 0.1.0
   */
  public static VolumeData parse(String json) {
    Struct object = Json.read(json);
    SortedMap<String, String> values = new TreeMap<>();
    for (String key : KEYS) {
      Value value = object.getFieldsMap().get(key);
      if (value != null) {
        if (value.getKindCase() != Value.KindCase.STRING_VALUE) {
          throw new IllegalArgumentException("the value of \"" + key + "\" is not a string");
        }
        values.put(key, value.getStringValue());
      }
    }
    for (String key : new String[] {DRIVER_NAME, VOLUME_HANDLE}) {
      if (values.getOrDefault(key, "").isEmpty()) {
        throw new IllegalArgumentException("\"" + key + "\" is missing");
      }
    }
    return new VolumeData(values);
  }

  /**
   * Writes the file as kubelet does: byte for byte, in place, without fsync.
   *
   * @param file its absolute path; the parent must exist
   * @throws IOException if it can't be written
   * @since 0.1.0
   */
  public void write(Path file) throws IOException {
    Files.writeString(file, toJson(), StandardCharsets.UTF_8);
  }

  /**
   * The content of the file, byte for byte as kubelet writes it: keys sorted, one line feed at the
   * end.
   *
   * @since 0.1.0
   */
  public String toJson() {
    return Json.write(values);
  }

  /**
   * The driver's name; never empty.
   *
   * @since 0.1.0
   */
  public String driverName() {
    return get(DRIVER_NAME).orElseThrow();
  }

  /**
   * The volume's id; never empty.
   *
   * @since 0.1.0
   */
  public String volumeHandle() {
    return get(VOLUME_HANDLE).orElseThrow();
  }

  /**
   * The name of the PersistentVolume, or of the inline volume in its pod; empty for staging.
   *
   * @since 0.1.0
   */
  public Optional<String> volumeName() {
    return get(SPEC_VOLUME_ID);
  }

  /**
   * The name of the Node object; empty for staging.
   *
   * @since 0.1.0
   */
  public Optional<String> nodeName() {
    return get(NODE_NAME);
  }

  /**
   * The name of the VolumeAttachment object, which need not exist; empty for staging.
   *
   * @since 0.1.0
   */
  public Optional<String> attachmentId() {
    return get(ATTACHMENT_ID);
  }

  /**
   * Whether it is an inline volume.
   *
   * @since 0.1.0
   */
  public boolean isEphemeral() {
    return "Ephemeral".equals(values.get(LIFECYCLE_MODE));
  }

  /**
   * The SELinux label with which the volume is mounted, if kubelet asked for one.
   *
   * @since 0.1.0
   */
  public Optional<String> seLinuxMountContext() {
    return get(SELINUX_CONTEXT);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof VolumeData that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }

  private VolumeData with(String key, String value) {
    SortedMap<String, String> changed = new TreeMap<>(values);
    changed.put(key, value);
    return new VolumeData(changed);
  }

  private Optional<String> get(String key) {
    return Optional.ofNullable(values.get(key)).filter(value -> !value.isEmpty());
  }
}
