package dev.csijava.testkit.client;

import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GetPluginCapabilitiesRequest;
import dev.csijava.spec.v1.GroupControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGrpc;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a driver advertises, as one set of words: {@code plugin:CONTROLLER_SERVICE}, {@code
 * plugin:VolumeExpansion.ONLINE}, {@code ctrl:CREATE_DELETE_VOLUME}, {@code
 * node:STAGE_UNSTAGE_VOLUME}, {@code group:…}. A value that this kit does not know appears as
 * {@code ctrl:UNRECOGNIZED}.
 *
 * @since 0.1.0
 */
public final class DriverCapabilities {
  /**
   * Word that stands for a Node service that answers.
   *
   * @since 0.1.0
   */
  public static final String NODE_SERVICE = "service:Node";

  /**
   * Word that stands for a Controller service that answers.
   *
   * @since 0.1.0
   */
  public static final String CONTROLLER_SERVICE = "plugin:CONTROLLER_SERVICE";

  private static final String GROUP_SERVICE = "plugin:GROUP_CONTROLLER_SERVICE";

  private final SortedSet<String> words;

  private DriverCapabilities(SortedSet<String> words) {
    this.words = words;
  }

  /**
   * A set of words, for tests of callers.
   *
   * @since 0.1.0
   */
  public static DriverCapabilities of(Collection<String> words) {
    return new DriverCapabilities(new TreeSet<>(words));
  }

  /**
   * Asks a driver. Services that it does not serve contribute nothing; the controller and the group
   * controller are asked only if the plugin reports them.
   *
   * @param node where Identity and Node are served
   * @param controller where Controller and GroupController are served; may be the same
   * @throws StatusRuntimeException if the driver can't be reached or refuses to tell
   * @since 0.1.0
   */
  public static DriverCapabilities ask(Channel node, Channel controller) {
    SortedSet<String> words = new TreeSet<>();
    IdentityGrpc.newBlockingStub(controller)
        .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .forEach(
            capability ->
                words.add(
                    capability.hasVolumeExpansion()
                        ? "plugin:VolumeExpansion." + capability.getVolumeExpansion().getType()
                        : "plugin:" + capability.getService().getType()));
    askController(controller, words);
    askNode(node, words);
    return new DriverCapabilities(words);
  }

  /** A process that serves the node alone reports the whole plugin, as the specification asks. */
  private static void askController(Channel controller, SortedSet<String> words) {
    boolean there = words.contains(CONTROLLER_SERVICE);
    boolean answers = there && answersController(controller, words);
    boolean groups =
        (answers || !there) && words.contains(GROUP_SERVICE) && answersGroups(controller, words);
    // A group service that is missing beside a controller that is there is a fault to be seen.
    if (!answers && !groups) {
      words.removeAll(
          List.of(CONTROLLER_SERVICE, GROUP_SERVICE, "plugin:SNAPSHOT_METADATA_SERVICE"));
    }
  }

  private static boolean answersController(Channel controller, SortedSet<String> words) {
    return implemented(
        () ->
            ControllerGrpc.newBlockingStub(controller)
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .forEach(capability -> words.add("ctrl:" + capability.getRpc().getType())));
  }

  private static boolean answersGroups(Channel controller, SortedSet<String> words) {
    return implemented(
        () ->
            GroupControllerGrpc.newBlockingStub(controller)
                .groupControllerGetCapabilities(
                    GroupControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .forEach(capability -> words.add("group:" + capability.getRpc().getType())));
  }

  private static boolean implemented(Runnable call) {
    try {
      call.run();
      return true;
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.UNIMPLEMENTED) {
        throw e;
      }
      return false;
    }
  }

  private static void askNode(Channel node, SortedSet<String> words) {
    boolean answers =
        implemented(
            () ->
                NodeGrpc.newBlockingStub(node)
                    .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                    .getCapabilitiesList()
                    .forEach(capability -> words.add("node:" + capability.getRpc().getType())));
    if (answers) {
      words.add(NODE_SERVICE);
    }
  }

  /**
   * Whether the driver advertises this word.
   *
   * @since 0.1.0
   */
  public boolean has(String word) {
    return words.contains(word);
  }

  /**
   * Whether the RPC must work: one of its gates is advertised, or it has none and its service is
   * there.
   *
   * @since 0.1.0
   */
  public boolean serves(CsiRpc rpc) {
    if (rpc.gates().isEmpty()) {
      return !rpc.service().equals("Node") || has(NODE_SERVICE);
    }
    return rpc.gates().stream().anyMatch(this::has);
  }

  /**
   * All words, in order.
   *
   * @since 0.1.0
   */
  public SortedSet<String> words() {
    return new TreeSet<>(words);
  }
}
