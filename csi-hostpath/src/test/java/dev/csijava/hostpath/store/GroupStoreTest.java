package dev.csijava.hostpath.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.hostpath.disk.Steps.Step;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.GroupDetails;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.SnapshotDetails;
import dev.csijava.hostpath.testing.TestState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GroupStoreTest {
  private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
  private volatile Step dieAt = Step.DELETE_DURABLE;
  private volatile boolean dying;
  private final TestState test = new TestState(this::reached);

  /** The process dies: an error that no roll-back survives, since the disk fails from here on. */
  private void reached(Step step) {
    if (dying && step == dieAt && left.decrementAndGet() == 0) {
      test.disk().die();
      throw new Killed();
    }
  }

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  @AfterEach
  void close() {
    test.close();
  }

  private GroupStore groups() {
    return test.state().groups();
  }

  private static GroupStore.Member member(String volume) {
    return new GroupStore.Member(
        Record.newBuilder()
            .setSizeBytes(1)
            .setBacking(Backing.DIRECTORY)
            .setSnapshot(SnapshotDetails.newBuilder().setSourceVolumeId(volume))
            .build(),
        Files::createDirectory);
  }

  private Record create() {
    return groups()
        .create(
            Record.newBuilder()
                .setName("group")
                .setGroup(GroupDetails.getDefaultInstance())
                .build(),
            List.of(member("a"), member("b")));
  }

  @Test
  void aGroupAndItsMembersAreTheSameAfterARestart() {
    Record group = create();
    List<Record> members = groups().members(group);

    test.restart();

    assertThat(groups().byName("group")).contains(group);
    assertThat(groups().members(group)).isEqualTo(members).hasSize(2);
    assertThat(members)
        .allMatch(member -> member.getSnapshot().getGroupId().equals(group.getId()))
        .allMatch(member -> member.getCreated().equals(group.getCreated()));
  }

  /** The Go driver leaves part of a group when a member fails. */
  @Test
  void aMemberThatCantBeCutLeavesNothing() {
    GroupStore.Member broken =
        new GroupStore.Member(
            member("b").draft(),
            data -> {
              throw new IOException("no");
            });

    assertThatThrownBy(
            () ->
                groups()
                    .create(
                        Record.newBuilder()
                            .setName("group")
                            .setGroup(GroupDetails.getDefaultInstance())
                            .build(),
                        List.of(member("a"), broken)))
        .hasMessageContaining("no");

    assertNothing();
  }

  private void assertNothing() {
    assertThat(groups().byName("group")).isEmpty();
    assertThat(test.state().snapshots().size()).isZero();
    assertThat(test.names("groups")).isEmpty();
    assertThat(test.names("snapshots")).isEmpty();
    assertThat(test.names("pending")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void aDiskThatFailsAtAnyStepLeavesNothing(int step) {
    test.disk().failAt(step, "Input/output error");

    assertThatThrownBy(this::create).isNotNull();

    test.disk().heal();
    assertNothing();
    test.restart();
    assertNothing();
    create();
  }

  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {
        "PENDING_MADE",
        "DATA_MADE",
        "RECORD_WRITTEN",
        "PENDING_SYNCED",
        "MEMBERS_MADE",
        "MEMBERS_MOVED",
        "COMMITTED"
      })
  void aCrashInTheMiddleLeavesAllOrNone(Step step) {
    for (int times = 1; times <= 3; times++) {
      dieAt = step;
      left.set(times);
      dying = true;
      boolean died = false;
      try {
        create();
      } catch (Killed e) {
        died = true;
      }
      dying = false;
      test.disk().heal();
      test.restart();
      if (groups().byName("group").isPresent()) {
        assertThat(groups().members(groups().byName("group").orElseThrow())).hasSize(2);
        groups().delete(groups().byName("group").orElseThrow());
      }
      assertNothing();
      if (!died) {
        return;
      }
    }
  }

  @Test
  void aDeleteThatDiesInTheMiddleLeavesNoMember() {
    Record group = create();
    dieAt = Step.GROUP_DELETED;
    left.set(1);
    dying = true;
    assertThatThrownBy(() -> groups().delete(group)).isInstanceOf(Killed.class);
    dying = false;
    test.disk().heal();

    test.restart();

    assertNothing();
  }

  /** As after a restore of a part of a backup. */
  @Test
  void withoutTheFolderOfAllGroupsNoMemberIsDropped() throws IOException {
    Record group = create();
    test.close();
    Path folder = test.root().resolve("groups");
    Path elsewhere = test.root().resolve("elsewhere");
    Files.move(folder, elsewhere);

    assertThatThrownBy(test::restart).hasMessageContainingAll("/state/groups is missing", "snap-");

    assertThat(test.names("snapshots")).hasSize(2);
    Files.move(elsewhere, folder);
    test.restart();
    assertThat(groups().members(group)).hasSize(2);
  }

  @Test
  void membersOfAGroupThatCantBeReadAreKept() throws IOException {
    Record group = create();
    Files.writeString(
        test.root().resolve("groups").resolve(group.getFolder()).resolve("record"), "x");

    test.restart();

    assertThat(test.state().snapshots().size()).isEqualTo(2);
    assertThat(test.state().quarantined()).hasSize(1);
  }
}
