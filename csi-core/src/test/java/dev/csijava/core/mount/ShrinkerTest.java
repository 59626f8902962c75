package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
  @Test
  void onlyTheStepsThatMatterAreLeft() {
    List<Integer> all = IntStream.range(0, 1000).boxed().toList();
    assertThat(Shrinker.shrink(all, steps -> steps.contains(17) && steps.contains(801)))
        .containsExactly(17, 801);
  }

  @Test
  void aListThatFailsWithoutAnyStepBecomesEmpty() {
    assertThat(Shrinker.shrink(List.of(1, 2, 3), steps -> true)).isEmpty();
  }
}
