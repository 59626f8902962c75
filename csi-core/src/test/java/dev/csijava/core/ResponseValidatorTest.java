package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.CsiProto;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCondition;
import io.grpc.Status;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseValidatorTest {
  private final ResponseValidator validator = new ResponseValidator(Capabilities.ALL);
  private final ResponseValidator plain = new ResponseValidator(Capabilities.NONE);

  static List<AnswerCase> broken() {
    return AnswerCases.all();
  }

  static List<ValidAnswers.Exchange> valid() {
    return ValidAnswers.all();
  }

  @ParameterizedTest
  @MethodSource("broken")
  void brokenAnswerIsInternalAndNamesRuleRequirementAndField(AnswerCase bad) {
    ResponseValidator broken = new ResponseValidator(bad.capabilities());
    Violation violation =
        Objects.requireNonNull(broken.find(bad.request(), bad.answer()), "nothing found");
    assertThat(violation.path()).isEqualTo(bad.path());
    assertThat(bad.ids()).allMatch(violation.rule()::names);
    CsiException refusal =
        catchThrowableOfType(CsiException.class, () -> broken.check(bad.request(), bad.answer()));
    assertThat(refusal.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(refusal)
        .hasMessageContaining(bad.path() + " ")
        .hasMessageContaining(bad.ids().get(0))
        .hasMessageContaining(violation.rule().description());
  }

  @ParameterizedTest
  @MethodSource("valid")
  void validAnswerOfADriverThatOffersEverythingPasses(ValidAnswers.Exchange exchange) {
    assertThat(validator.find(exchange.request(), exchange.answer())).isNull();
  }

  @Test
  void everyRpcHasAValidAnswerHere() {
    List<String> names =
        CsiProto.getDescriptor().getServices().stream()
            .flatMap(service -> service.getMethods().stream())
            .map(method -> method.getOutputType().getName())
            .toList();
    assertThat(valid()).extracting(Object::toString).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void plainAnswersOfAPlainDriverPass() {
    Volume volume = Volume.newBuilder().setVolumeId("v").build();
    Message created = CreateVolumeResponse.newBuilder().setVolume(volume).build();
    assertThat(plain.find(ValidRequests.create().build(), created)).isNull();
    Message listed =
        ListVolumesResponse.newBuilder()
            .addEntries(ListVolumesResponse.Entry.newBuilder().setVolume(volume))
            .build();
    assertThat(plain.find(ValidAnswers.LIST, listed)).isNull();
    Message refused =
        ValidateVolumeCapabilitiesResponse.newBuilder().setMessage("no block").build();
    assertThat(plain.find(ValidAnswers.VALIDATE, refused)).isNull();
  }

  @Test
  void unknownSizeFitsEveryRange() {
    Message created =
        ValidAnswers.created().setVolume(ValidAnswers.volume().setCapacityBytes(0)).build();
    assertThat(validator.find(ValidAnswers.CREATE, created)).isNull();
  }

  @Test
  void abnormalVolumeNeedsNoUsage() {
    Message answer =
        NodeGetVolumeStatsResponse.newBuilder()
            .setVolumeCondition(VolumeCondition.newBuilder().setAbnormal(true).setMessage("gone"))
            .build();
    assertThat(validator.find(ProbeRequest.getDefaultInstance(), answer)).isNull();
  }

  @Test
  void controllerThatDoesNotKnowItsNodesMayAskForNodeExpansion() {
    CapabilityView controllerOnly =
        new CapabilityView(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), false);
    Message answer =
        ControllerExpandVolumeResponse.newBuilder()
            .setCapacityBytes(1 << 20)
            .setNodeExpansionRequired(true)
            .build();
    assertThat(new ResponseValidator(controllerOnly).find(ValidRequests.expand().build(), answer))
        .isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hostpath.csi.k8s.io", "a", "3par.example.com", "csi-x--y.org", "A.B1"})
  void legalPluginNamePasses(String name) {
    assertThat(NameSyntax.pluginName(name)).isNull();
    Message info = ValidAnswers.info().setName(name).build();
    assertThat(plain.find(ProbeRequest.getDefaultInstance(), info)).isNull();
  }

  @Test
  void confirmationNeedNotRepeatFieldsOfANewerVersion() throws Exception {
    byte[] unknown = {(byte) 0xfa, 0x3f, 1, 'x'};
    Message request =
        ValidAnswers.VALIDATE.toBuilder()
            .setVolumeCapabilities(0, ValidRequests.mount().toBuilder().mergeFrom(unknown).build())
            .build();
    assertThat(validator.find(request, ValidAnswers.confirmed().build())).isNull();
  }
}
