package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.testkit.client.CallObserver;
import dev.csijava.testkit.client.CallRecord;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;

/** Looks at every answer of a run, whatever case it belongs to. */
final class AnswerWatch implements CallObserver {
  @Override
  public void ended(
      CallRecord call,
      Message request,
      List<Message> responses,
      Status status,
      Metadata trailers) {}
}
