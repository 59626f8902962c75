package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.testkit.conformance.Kubelet.Pod;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.time.Duration;
import java.util.List;

/** What kubelet does. */
final class KubeletCases implements CaseGroup {
  private static final int REFRESHES = 2;
  private static final Duration SETTLING = Duration.ofSeconds(2);

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "engine-callers-kubelet-pod",
            "A pod's volume as kubelet handles it",
            KubeletCases::pod,
            "ENGINE-CALLER-001"),
        Case.of(
            "engine-callers-kubelet-uncertain",
            "Staging and publishing that were given up are taken back",
            KubeletCases::uncertain,
            "ENGINE-CALLER-002",
            "GEN-TIME-001"),
        Case.of(
            "engine-callers-kubelet-two-pods",
            "Two pods on one node use one volume and end at once",
            KubeletCases::twoPods,
            "ENGINE-CALLER-003"),
        Case.of(
            "engine-callers-kubelet-static",
            "A volume is used by its handle alone",
            KubeletCases::byHandle,
            "ENGINE-CALLER-016"));
  }

  private static void pod(CaseContext c) {
    String row = "ENGINE-CALLER-001";
    Kubelet kubelet = new Kubelet(c, row);
    kubelet.info();
    OnNode volume = kubelet.attach(c.make().volume(), capability(c));
    kubelet.stage(volume);
    kubelet.stage(volume);
    use(c, row, kubelet, volume, List.of(TokenPlace.VOLUME_CONTEXT, TokenPlace.SECRETS));
    use(c, row, kubelet, volume, List.of(TokenPlace.SECRETS, TokenPlace.VOLUME_CONTEXT));
    kubelet.unstage(volume);
    kubelet.detach(volume);
  }

  /** The life of one pod, whose tokens come in one place and later in the other. */
  private static void use(
      CaseContext c, String row, Kubelet kubelet, OnNode volume, List<TokenPlace> places) {
    Pod pod = kubelet.pod("web-0");
    for (TokenPlace place : places) {
      for (int i = 0; i < REFRESHES; i++) {
        kubelet.publish(volume, pod, place);
        kubelet.stats(volume, pod);
        long mounts = SeenMounts.count(pod.target());
        c.check(row, mounts <= 1, "one mount at the target", mounts + " mounts");
      }
    }
    kubelet.unpublish(volume, pod);
  }

  private static VolumeCapability capability(CaseContext c) {
    return c.requests().capability();
  }

  private static void uncertain(CaseContext c) {
    String row = "ENGINE-CALLER-002";
    Kubelet kubelet = new Kubelet(c, row);
    OnNode volume = kubelet.attach(c.make().volume(), capability(c));
    Pod pod = kubelet.pod("job-0");
    CaseContext impatient = Retries.impatient(c);
    for (int i = 0; i < c.settings().repetitions(); i++) {
      if (!volume.stagingPath().isEmpty()) {
        Outcome.of(() -> impatient.node().nodeStageVolume(volume.stageRequest().build()));
        if (i % 2 == 0) {
          kubelet.stage(volume);
          c.check("GEN-TIME-001", true, "", "");
        }
      }
      TokenPlace place = i % 2 == 0 ? TokenPlace.VOLUME_CONTEXT : TokenPlace.SECRETS;
      Outcome.of(
          () -> impatient.node().nodePublishVolume(kubelet.publishRequest(volume, pod, place)));
      settled(kubelet, volume, pod);
    }
    kubelet.detach(volume);
    if (volume.stagingPath().isEmpty()) {
      c.skip("GEN-TIME-001", "the driver does not stage, and publishing is tried elsewhere");
    }
  }

  /**
   * A call that was given up may come to the driver late, behind the one that takes its work back;
   * kubelet would take it back again.
   */
  private static void settled(Kubelet kubelet, OnNode volume, Pod pod) {
    Patience.until(
        SETTLING,
        () -> {
          Outcome.of(() -> kubelet.unpublishOnce(volume, pod));
          return SeenMounts.count(pod.target());
        },
        mounts -> mounts == 0);
    kubelet.unpublish(volume, pod);
    kubelet.unstage(volume);
  }

  private static void twoPods(CaseContext c) {
    String row = "ENGINE-CALLER-003";
    c.needs(NodeSteps.FINER_MODES);
    c.needs("ctrl:SINGLE_NODE_MULTI_WRITER");
    VolumeCapability many = c.requests().capability(Kubelet.readWriteOnce(c));
    Kubelet kubelet = new Kubelet(c, row);
    Volume made = c.make().supportedVolume(many, "volumes for several writers of one node");
    OnNode volume = kubelet.attach(made, many);
    Pod one = kubelet.pod("one");
    Pod two = kubelet.pod("two");
    kubelet.stage(volume);
    kubelet.publish(volume, one, TokenPlace.VOLUME_CONTEXT);
    kubelet.publish(volume, two, TokenPlace.SECRETS);
    List<Outcome<Object>> ends =
        c.together(
            List.of(
                () -> kubelet.unpublishOnce(volume, one),
                () -> kubelet.unpublishOnce(volume, two)));
    for (Outcome<Object> end : ends) {
      c.check(row, end.ok() || Retries.nonFinal(end.code()), "OK, or try again", end);
    }
    kubelet.unpublish(volume, one);
    kubelet.unpublish(volume, two);
    kubelet.unstage(volume);
    kubelet.detach(volume);
  }

  private static void byHandle(CaseContext c) {
    Kubelet kubelet = new Kubelet(c, "ENGINE-CALLER-016");
    Volume known =
        c.settings()
            .existingVolumeId()
            .map(id -> NodeSteps.existing(c, id))
            .orElseGet(() -> c.make().volume());
    // An administrator writes down what the driver's documentation asks for, and no more.
    Volume written = known.toBuilder().clearCapacityBytes().clearAccessibleTopology().build();
    OnNode volume = kubelet.attach(written, capability(c));
    Pod pod = kubelet.pod("static");
    kubelet.stage(volume);
    kubelet.publish(volume, pod, TokenPlace.VOLUME_CONTEXT);
    kubelet.unpublish(volume, pod);
    kubelet.unstage(volume);
    kubelet.detach(volume);
  }
}
