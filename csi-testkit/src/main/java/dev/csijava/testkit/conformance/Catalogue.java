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
          new ProbeCases(),
          new DeleteVolumeCases(),
          new StageCases(),
          new UnstageCases(),
          new PublishCases(),
          new SecondTargetCases(),
          new PublishedContentCases(),
          new UnpublishCases(),
          new VolumeStatsCases(),
          new NodeExpandCases(),
          new NodeInfoCases(),
          new HealthCases(),
          new GroupCases(),
          new GroupMemberCases(),
          new MetadataStreamCases(),
          new MetadataCallCases());

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
