package dev.csijava.testkit.conformance;

import java.util.List;
import java.util.stream.Stream;

/** The cases of Node, GroupController and SnapshotMetadata, and those of health. */
final class BeyondControllerCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return Stream.<CaseGroup>of(
            new GroupCases(),
            new GroupMemberCases(),
            new MetadataStreamCases(),
            new MetadataCallCases(),
            new StageCases(),
            new UnstageCases(),
            new PublishCases(),
            new SecondTargetCases(),
            new PublishedContentCases(),
            new UnpublishCases(),
            new VolumeStatsCases(),
            new NodeExpandCases(),
            new NodeInfoCases(),
            new HealthCases())
        .flatMap(group -> group.cases().stream())
        .toList();
  }
}
