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
    MountTable table = MountTable.read();
    Map<Long, Mount> byTableId = new HashMap<>();
    table.all().forEach(mount -> byTableId.put(mount.id(), mount));
    int found = 0;
    for (long number : MountNumbers.all()) {
      Mounted mounted = reader.byId(number).orElse(null);
      if (mounted == null) {
        continue;
      }
      Mount inTable = byTableId.get(mounted.mount().id());
      if (inTable == null) {
        // Came or went beside this test.
        continue;
      }
      found++;
      assertThat(mounted.mount().target()).isEqualTo(inTable.target());
      assertThat(mounted.mount().options()).isEqualTo(inTable.options());
      assertThat(mounted.mount().fileSystemType()).isEqualTo(inTable.fileSystemType());
      MountFacts facts = reader.facts(number).orElseThrow();
      MountFacts expected = MountFacts.of(inTable, table.isShared(inTable));
      assertThat(facts.options()).isEqualTo(expected.options());
      assertThat(facts.readOnly()).isEqualTo(expected.readOnly());
      assertThat(facts.shared()).isEqualTo(expected.shared());
      assertThat(facts.local()).as(inTable.toString()).isEqualTo(expected.local());
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
