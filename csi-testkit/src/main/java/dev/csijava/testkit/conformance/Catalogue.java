package dev.csijava.testkit.conformance;

import java.util.List;

/**
 * All cases of the kit.
 *
 * @since 0.1.0
 */
public final class Catalogue {
  private static final List<CaseGroup> GROUPS =
      List.of(
          new IdentityCases(),
          new ProbeCases(),
          new ServedCases(),
          new CreateVolumeCases(),
          new CreateVolumeReplayCases(),
          new CreateVolumeSizeCases(),
          new CreateVolumeSourceCases(),
          new CreateVolumeTopologyCases(),
          new DeleteVolumeCases(),
          new ControllerPublishCases(),
          new SecondNodeCases(),
          new ValidateCases(),
          new ListVolumesCases(),
          new ModifyCases(),
          new CapacityCases(),
          new SnapshotCases(),
          new ListSnapshotsCases(),
          new SnapshotTopologyCases(),
          new ControllerExpandCases(),
          new BeyondControllerCases(),
          new FieldCases(),
          new LimitCases(),
          new AccessModeCases(),
          new LifecycleCases(),
          new ConcurrencyCases(),
          new EndpointCases(),
          new StartCases(),
          new GivenCases(),
          new CutUnderWritesCases(),
          new SecretCases(),
          new ReplayCases(),
          new KubeletCases(),
          new InlineCallerCases(),
          new HealthMonitorCases(),
          new ProvisionerCases(),
          new ControllerCallerCases(),
          new SnapshotterCases(),
          new IdentityCallerCases(),
          new ClaimCases(),
          new ModelCases(),
          new StormCases(),
          new CrashCases(),
          new CanaryCases(),
          new HostileCases());

  private Catalogue() {}

  /**
   * All cases, in the order of the specification's services.
   *
   * @since 0.1.0
   */
  public static List<Case> cases() {
    return GROUPS.stream().flatMap(group -> group.cases().stream()).toList();
  }
}
