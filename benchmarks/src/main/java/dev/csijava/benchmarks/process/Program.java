package dev.csijava.benchmarks.process;

import java.nio.file.Path;

/**
 * A driver that can be started.
 *
 * @param name as tables have it
 * @param launcher absolute; takes {@code --endpoint}, {@code --drivername}, {@code --nodeid} and
 *     {@code --statedir}
 * @param ours whether it takes what else csi-hostpath takes
 */
record Program(String name, Path launcher, boolean ours) {}
