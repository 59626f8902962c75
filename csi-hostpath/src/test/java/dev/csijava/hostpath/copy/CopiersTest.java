package dev.csijava.hostpath.copy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CopiersTest {
  @Test
  void thisProcessCopiesByDescriptorAndTheOtherWayDoesNotIgnoreFailedReads() {
    assertThat(Copiers.system().tree()).isInstanceOf(DescriptorTreeCopier.class);
    assertThat(Copiers.system().file()).isInstanceOf(DescriptorFileCopier.class);
    TreeCopier programs = new ProgramTreeCopier();
    assertThat(programs.ignoringFailedReads()).isSameAs(programs);
  }
}
