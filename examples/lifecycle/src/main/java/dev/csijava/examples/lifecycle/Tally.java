package dev.csijava.examples.lifecycle;

/**
 * The sum of a story.
 *
 * @param calls how many calls were made
 * @param surprises calls with another status than expected, and claims that were not true
 */
record Tally(int calls, int surprises) {
  @Override
  public String toString() {
    return "demo: %d calls, %d %s"
        .formatted(calls, surprises, surprises == 1 ? "surprise" : "surprises");
  }
}
