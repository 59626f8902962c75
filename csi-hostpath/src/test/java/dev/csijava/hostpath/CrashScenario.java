package dev.csijava.hostpath;

import dev.csijava.hostpath.testing.Requests;
import dev.csijava.spec.v1.CreateVolumeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * A call that may die in the middle.
 *
 * @param before what is there before it
 * @param call may be made again
 */
record CrashScenario(String name, Act before, Act call) {
  private static final long SIZE = 2 << 20;
  private static final long LARGER = 4 << 20;
  private static final long XFS = 300L << 20;
  private static final long LARGER_XFS = 364L << 20;

  /** Calls of a driver. */
  @FunctionalInterface
  interface Act {
    /** Makes them. */
    void on(CrashWorld world) throws IOException;
  }

  @Override
  public String toString() {
    return name;
  }

  /** Each call that changes anything, for each kind of volume where that makes a difference. */
  static List<CrashScenario> all() {
    return List.of(
        new CrashScenario("create a directory", w -> {}, w -> w.create("v", directory())),
        new CrashScenario("create an image", w -> {}, w -> w.create("v", image())),
        new CrashScenario("create a block volume", w -> {}, w -> w.create("v", block())),
        new CrashScenario(
            "restore a directory",
            w -> {
              source(w);
              w.snapshot("snapshot", "source");
            },
            w ->
                w.create(
                    "v",
                    directory().setVolumeContentSource(Requests.fromSnapshot(w.id("snapshot"))))),
        new CrashScenario("clone a directory", CrashScenario::source, w -> w.create("v", clone(w))),
        new CrashScenario(
            "clone an image that is mounted",
            w -> stagedImage(w, "source"),
            w ->
                w.create("v", image().setVolumeContentSource(Requests.fromVolume(w.id("source"))))),
        new CrashScenario("delete a directory", CrashScenario::source, w -> w.delete("source")),
        new CrashScenario("delete an image", w -> w.create("v", image()), w -> w.delete("v")),
        new CrashScenario("snapshot a directory", CrashScenario::source, w -> snapshot(w)),
        new CrashScenario(
            "snapshot an image that is mounted", w -> stagedImage(w, "source"), w -> snapshot(w)),
        new CrashScenario(
            "snapshot a block volume that is staged",
            w -> {
              w.create("source", block());
              stageAttached(w, "source");
            },
            w -> snapshot(w)),
        new CrashScenario(
            "delete a snapshot",
            w -> {
              source(w);
              snapshot(w);
            },
            w -> w.deleteSnapshot("snapshot")),
        new CrashScenario(
            "snapshot a group", CrashScenario::sources, w -> w.group("group", "source", "image")),
        new CrashScenario(
            "snapshot a group of volumes that pods use",
            w -> {
              source(w);
              stageAttached(w, "source");
              w.publish("source", "pod", false);
              w.create("block", block());
              stageAttached(w, "block");
            },
            w -> w.group("group", "source", "block")),
        new CrashScenario(
            "delete a group",
            w -> {
              sources(w);
              w.group("group", "source", "image");
            },
            w -> w.deleteGroup("group")),
        new CrashScenario("attach", CrashScenario::source, w -> w.attach("source")),
        new CrashScenario(
            "detach",
            w -> {
              source(w);
              w.attach("source");
            },
            w -> w.detach("source")),
        new CrashScenario("modify", CrashScenario::source, w -> w.modify("source", "a", "b")),
        new CrashScenario(
            "expand a directory", CrashScenario::source, w -> w.expand("source", LARGER)),
        new CrashScenario(
            "expand an image", w -> w.create("v", image()), w -> w.expand("v", LARGER)),
        new CrashScenario(
            "expand a block volume that is staged",
            w -> {
              w.create("v", block());
              stageAttached(w, "v");
            },
            w -> {
              w.expand("v", LARGER);
              w.expandOnNode("v", LARGER);
            }),
        new CrashScenario(
            "expand an image that is mounted",
            w -> stagedImage(w, "v"),
            w -> w.expand("v", LARGER)),
        new CrashScenario(
            "grow the file system of an image that is mounted",
            w -> {
              // An ext4 that is mounted grows only with a capability that not every root has.
              w.create("v", Requests.image("v", "xfs", XFS));
              stageAttached(w, "v");
              w.expand("v", LARGER_XFS);
            },
            w -> w.expandOnNode("v", LARGER_XFS)),
        new CrashScenario(
            "stage an image that has grown",
            w -> {
              stagedImage(w, "v");
              w.unstage("v");
              w.expand("v", LARGER);
            },
            w -> w.stage("v")),
        new CrashScenario(
            "stage a directory",
            w -> {
              source(w);
              w.attach("source");
            },
            w -> w.stage("source")),
        new CrashScenario("stage an image", w -> attached(w, image()), w -> w.stage("v")),
        new CrashScenario("stage a block volume", w -> attached(w, block()), w -> w.stage("v")),
        new CrashScenario(
            "stage a larger copy of an image",
            w -> {
              w.create("source", image());
              attached(w, larger().setVolumeContentSource(Requests.fromVolume(w.id("source"))));
            },
            w -> w.stage("v")),
        new CrashScenario(
            "publish a directory",
            w -> {
              source(w);
              stageAttached(w, "source");
            },
            w -> w.publish("source", "pod", false)),
        new CrashScenario(
            "publish a directory that nobody staged",
            w -> {
              source(w);
              w.attach("source");
            },
            w -> w.publish("source", "pod", false)),
        new CrashScenario(
            "publish an image", w -> stagedImage(w, "v"), w -> w.publish("v", "pod", true)),
        new CrashScenario(
            "publish an image that nobody staged",
            w -> attached(w, image()),
            w -> w.publish("v", "pod", false)),
        new CrashScenario(
            "publish a block volume for reading",
            w -> {
              w.create("v", block());
              stageAttached(w, "v");
            },
            w -> w.publish("v", "pod", true)),
        new CrashScenario(
            "unpublish a directory",
            w -> {
              source(w);
              stageAttached(w, "source");
              w.publish("source", "pod", false);
            },
            w -> w.unpublish("source", "pod")),
        new CrashScenario(
            "unpublish an image",
            w -> {
              stagedImage(w, "v");
              w.publish("v", "pod", false);
              w.publish("v", "another-pod", false);
            },
            w -> w.unpublish("v", "pod")),
        new CrashScenario(
            "unpublish a block volume",
            w -> {
              w.create("v", block());
              stageAttached(w, "v");
              w.publish("v", "pod", false);
            },
            w -> w.unpublish("v", "pod")),
        new CrashScenario(
            "unstage a directory",
            w -> {
              source(w);
              stageAttached(w, "source");
            },
            w -> w.unstage("source")),
        new CrashScenario("unstage an image", w -> stagedImage(w, "v"), w -> w.unstage("v")),
        new CrashScenario(
            "unstage a block volume",
            w -> {
              w.create("v", block());
              stageAttached(w, "v");
            },
            w -> w.unstage("v")),
        new CrashScenario(
            "publish an inline volume", w -> {}, w -> w.publishInline("inline", "pod")),
        new CrashScenario(
            "unpublish an inline volume",
            w -> w.publishInline("inline", "pod"),
            w -> w.unpublish("inline", "pod")),
        new CrashScenario(
            "publish an inline image", w -> {}, w -> w.publishInline("inline", "pod", "image")),
        new CrashScenario(
            "unpublish an inline image",
            w -> w.publishInline("inline", "pod", "image"),
            w -> w.unpublish("inline", "pod")));
  }

  private static CreateVolumeRequest.Builder directory() {
    return Requests.create("v");
  }

  private static CreateVolumeRequest.Builder image() {
    return Requests.image("v", "ext4", SIZE);
  }

  private static CreateVolumeRequest.Builder larger() {
    return Requests.image("v", "ext4", LARGER);
  }

  private static CreateVolumeRequest.Builder block() {
    return Requests.blockVolume("v", SIZE);
  }

  private static CreateVolumeRequest.Builder clone(CrashWorld world) {
    return directory().setVolumeContentSource(Requests.fromVolume(world.id("source")));
  }

  private static void source(CrashWorld world) throws IOException {
    world.create("source", directory());
    Files.writeString(
        world.root().resolve("state/volumes").resolve(world.id("source")).resolve("data/file"),
        "written before");
  }

  private static void sources(CrashWorld world) throws IOException {
    source(world);
    stagedImage(world, "image");
  }

  private static void snapshot(CrashWorld world) {
    world.snapshot("snapshot", "source");
  }

  private static void attached(CrashWorld world, CreateVolumeRequest.Builder request) {
    world.create("v", request);
    world.attach("v");
  }

  private static void stageAttached(CrashWorld world, String name) throws IOException {
    world.attach(name);
    world.stage(name);
  }

  private static void stagedImage(CrashWorld world, String name) throws IOException {
    world.create(name, Requests.image(name, "ext4", SIZE));
    stageAttached(world, name);
    Files.writeString(world.staging(name).resolve("file"), "written before");
  }
}
