package dev.csijava.nativeio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What statmount and listmount tell of this system's own mounts is what its table shows. */
class StatmountReaderIT {
  private final StatmountReader reader = new StatmountReader();

  @BeforeEach
  void known() {
    assumeTrue(StatmountReader.works(), "this kernel has no statmount");
  }

  @Test
  void everyMountIsToldAsTheTableHasIt() throws Exception {
    compareWithTheTable(reader);
  }

  @Test
  void aKernelThatTellsNoSourceIsHelpedOutByTheTable() throws Exception {
    compareWithTheTable(StatmountReader.ofLinux68());
  }

  /** Of those only that are there all the time: others mount beside this test. */
  private static void compareWithTheTable(StatmountReader reader) throws Exception {
    MountTable before = MountTable.read();
    Map<Long, Mounted> told = new HashMap<>();
    Map<Long, MountFacts> facts = new HashMap<>();
    for (long number : MountNumbers.all()) {
      reader.byId(number).ifPresent(mounted -> told.put(mounted.mount().id(), mounted));
      for (MountFacts fact : reader.facts(number).stream().toList()) {
        facts.put(number, fact);
      }
    }
    MountTable after = MountTable.read();
    int found = 0;
    for (Mount inTable : after.all()) {
      Mounted mounted = told.get(inTable.id());
      if (mounted == null || !before.all().contains(inTable) || !facts.containsKey(mounted.id())) {
        continue;
      }
      found++;
      assertThat(mounted.mount().target()).isEqualTo(inTable.target());
      assertThat(mounted.mount().options()).isEqualTo(inTable.options());
      assertThat(mounted.mount().fileSystemType()).isEqualTo(inTable.fileSystemType());
      assertThat(mounted.mount().source()).isEqualTo(inTable.source());
      assertThat(mounted.mount().superOptions()).containsAll(inTable.superOptions());
      MountFacts fact = facts.get(mounted.id());
      MountFacts expected = MountFacts.of(inTable, after.isShared(inTable));
      assertThat(fact.options()).isEqualTo(expected.options());
      assertThat(fact.readOnly()).isEqualTo(expected.readOnly());
      assertThat(fact.shared()).isEqualTo(expected.shared());
      assertThat(fact.local()).as(inTable.toString()).isEqualTo(expected.local());
    }
    assertThat(found).isPositive();
  }

  @Test
  void aNumberOfNoMountIsNone() throws Exception {
    assertThat(reader.byId(Long.MAX_VALUE)).isEmpty();
    assertThat(reader.facts(Long.MAX_VALUE)).isEmpty();
    assertThat(reader.stackUnder(Long.MAX_VALUE)).isEmpty();
  }
}
