package dev.csijava.core;

/**
 * One step of the pipeline. It answers the call through its reply or hands it to the next step,
 * with the reply wrapped where it wants to see the answer. What a stage throws, the error stage
 * maps.
 */
@FunctionalInterface
interface Stage {
  void handle(Call call);
}
