package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.Volume;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswerRulesTest {
  private static final CreateVolumeRequest REQUEST =
      CreateVolumeRequest.newBuilder().putSecrets("password", "correct horse").build();

  @Test
  void aProperAnswerBreaksNothing() {
    assertThat(broken(Volume.newBuilder().setVolumeId("vol-1"))).isEmpty();
  }

  @Test
  void longTextsAreSeen() {
    assertThat(broken(Volume.newBuilder().setVolumeId("x".repeat(128)))).isEmpty();
    assertThat(broken(Volume.newBuilder().setVolumeId("\u00fc".repeat(65))))
        .containsExactly("GEN-SIZE-001");
  }

  @Test
  void largeMapsAreSeen() {
    Volume.Builder volume = Volume.newBuilder().setVolumeId("v");
    assertThat(broken(volume.putVolumeContext("k", "x".repeat(4095)))).isEmpty();
    assertThat(broken(volume.putVolumeContext("l", ""))).containsExactly("GEN-SIZE-002");
  }

  @Test
  void missingFieldsAreSeen() {
    assertThat(broken(Volume.newBuilder())).containsExactly("GEN-FIELD-004");
  }

  @Test
  void badTopologyIsSeen() {
    assertThat(broken(at(Map.of("example.com/zone", "a")))).isEmpty();
    assertThat(broken(at(Map.of("Example.com/zone", "a")))).containsExactly("GEN-TOPO-003");
    assertThat(broken(at(Map.of("zone_", "a")))).containsExactly("GEN-TOPO-002");
    assertThat(broken(at(Map.of("zone", "a b")))).containsExactly("GEN-TOPO-007");
    assertThat(broken(at(Map.of("zone", "a", "ZONE", "b")))).containsExactly("GEN-TOPO-006");
  }

  @Test
  void refusalsNeedAMessageThatHoldsNoSecretAndNoDetails() {
    assertThat(broken(Status.NOT_FOUND.withDescription("no such volume"), new Metadata()))
        .isEmpty();
    assertThat(broken(Status.NOT_FOUND, new Metadata())).containsExactly("GEN-ERR-003");
    assertThat(broken(Status.UNKNOWN.withDescription("oops"), new Metadata()))
        .containsExactly("GEN-ERR-002");
    assertThat(broken(Status.INTERNAL.withDescription("got correct horse"), new Metadata()))
        .containsExactly("GEN-SEC-005");
    Metadata details = new Metadata();
    details.put(
        Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[1]);
    assertThat(broken(Status.NOT_FOUND.withDescription("no such volume"), details))
        .containsExactly("GEN-ERR-004");
  }

  private static Volume.Builder at(Map<String, String> segments) {
    return Volume.newBuilder()
        .setVolumeId("v")
        .addAccessibleTopology(Topology.newBuilder().putAllSegments(segments));
  }

  private static List<String> broken(Volume.Builder volume) {
    Message answer = CreateVolumeResponse.newBuilder().setVolume(volume).build();
    return broken(List.of(answer), Status.OK, new Metadata());
  }

  private static List<String> broken(Status status, Metadata trailers) {
    return broken(List.of(), status, trailers);
  }

  private static List<String> broken(List<Message> answers, Status status, Metadata trailers) {
    List<String> broken = new ArrayList<>();
    AnswerRules.look(
        REQUEST,
        answers,
        status,
        trailers,
        (row, holds, expected, came) -> {
          if (!holds) {
            broken.add(row);
          }
        });
    return broken;
  }
}
