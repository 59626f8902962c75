package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.csijava.core.FieldRule.Kind;
import dev.csijava.spec.v1.CsiProto;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table as a whole: no field is forgotten, and no requirement is named without a test. */
class RuleTableTest {

  static List<Message> requests() {
    return ValidRequests.minimal();
  }

  static List<Message> answers() {
    return ValidAnswers.all().stream().map(ValidAnswers.Exchange::answer).toList();
  }

  @ParameterizedTest
  @MethodSource("requests")
  void everyFieldOfARequestHasTheRulesOfItsType(Message request) {
    assertCovered(RuleTable.requests(), request);
  }

  @ParameterizedTest
  @MethodSource("answers")
  void everyFieldOfAnAnswerHasTheRulesOfItsType(Message answer) {
    assertCovered(RuleTable.answers(), answer);
  }

  private static void assertCovered(RuleTable table, Message message) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      List<Kind> kinds =
          table.rulesOf(message).fields().stream()
              .filter(plan -> plan.field().equals(field))
              .flatMap(plan -> plan.rules().stream())
              .map(FieldRule::kind)
              .toList();
      String name = field.getFullName();
      if (field.isMapField() || field.getJavaType() == FieldDescriptor.JavaType.STRING) {
        assertThat(kinds).as(name).containsOnlyOnce(Kind.SIZE);
      }
      if (field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
        assertThat(kinds).as(name).containsOnlyOnce(Kind.ENUM);
      }
      if (field.getOptions().getExtension(CsiProto.csiSecret)) {
        assertThat(kinds).as(name).contains(Kind.KEYS);
      }
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isMapField()) {
        assertCovered(
            table,
            message.newBuilderForType().newBuilderForField(field).getDefaultInstanceForType());
      }
    }
  }

  @Test
  void requirementsOfTheTableAreThoseOfTheTests() {
    Set<String> tested = new TreeSet<>();
    RequestCases.all().forEach(bad -> tested.addAll(bad.ids()));
    AnswerCases.all().forEach(bad -> tested.addAll(bad.ids()));
    MetadataStreamValidatorTest.broken().forEach(stream -> tested.add(stream.id()));
    Set<String> named = new TreeSet<>(ValidatedRequirements.kept().keySet());
    named.addAll(ValidatedRequirements.keptInPart().keySet());
    assertThat(named).isEqualTo(tested);
  }

  @Test
  void requirementsThatAreLetThroughAreThoseOfTheTests() {
    Set<String> tested = new TreeSet<>();
    AcceptedCases.all().forEach(accepted -> tested.addAll(accepted.ids()));
    assertThat(ValidatedRequirements.letThrough().keySet()).isEqualTo(tested);
  }

  @Test
  void aRequirementStandsInOneListOnly() {
    List<String> all =
        Stream.of(
                ValidatedRequirements.kept(),
                ValidatedRequirements.keptInPart(),
                ValidatedRequirements.letThrough(),
                ValidatedRequirements.leftToDriver())
            .flatMap(list -> list.keySet().stream())
            .toList();
    assertThat(all)
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("(GEN|IDENT|CTRL|NODE|GROUP|SMETA|V113)-[A-Z]+-[0-9]{3}"));
  }

  @Test
  void phrasesNameTheFieldOfARequirementOfOneCall() {
    assertThat(ValidatedRequirements.kept())
        .containsEntry("CTRL-CREATE-002", "CreateVolumeRequest.name must be set")
        .containsEntry(
            "CTRL-MODIFY-003",
            "ControllerModifyVolumeRequest.mutable_parameters must hold one entry or more")
        .containsEntry("GEN-FIELD-001", "must be set");
  }

  @Test
  void publishedNamesAreThoseOfThePublishedProto() {
    for (Message request : requests()) {
      for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
        assertThat(PublishedName.of(field))
            .isEqualTo(
                field.getName().equals("mutable_params") ? "mutable_parameters" : field.getName());
      }
    }
  }
}
