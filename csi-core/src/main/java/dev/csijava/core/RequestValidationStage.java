package dev.csijava.core;

/** Refuses requests that break a rule, before anything is done for them. */
final class RequestValidationStage implements Stage {
  private final RequestValidator validator;
  private final Stage next;

  RequestValidationStage(RequestValidator validator, Stage next) {
    this.validator = validator;
    this.next = next;
  }

  @Override
  public void handle(Call call) {
    validator.check(call.request());
    next.handle(call);
  }
}
