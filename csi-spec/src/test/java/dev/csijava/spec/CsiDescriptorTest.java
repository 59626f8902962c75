package dev.csijava.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.csijava.spec.v1.CsiProto;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The compiled csi.proto says what the table says: nothing less, nothing more. */
class CsiDescriptorTest {

  private static final Pattern UNDERSCORE = Pattern.compile("_(.)");

  private final DescriptorRows compiled = new DescriptorRows(CsiProto.getDescriptor());

  @Test
  void everyMessageIsPublishedAndEveryPublishedOneIsHere() {
    assertSame(compiled.messages(), SpecTable.messages());
  }

  @Test
  void everyFieldIsPublishedAndEveryPublishedOneIsHere() {
    assertSame(compiled.fields(), SpecTable.fields());
  }

  @Test
  void everyEnumValueIsPublishedAndEveryPublishedOneIsHere() {
    assertSame(compiled.enumValues(), SpecTable.enumValues());
  }

  @Test
  void everyRpcIsPublishedAndEveryPublishedOneIsHere() {
    assertSame(compiled.rpcs(), SpecTable.rpcs());
  }

  @Test
  void everyOptionIsPublishedAndEveryPublishedOneIsHere() {
    assertSame(compiled.extensions(), SpecTable.extensions());
  }

  @Test
  void theTableHoldsBothVersionsWhole() {
    assertThat(SpecTable.rpcs()).hasSize(36);
    assertThat(SpecTable.rpcs().stream().filter(r -> SpecTable.isIn(r.versions(), "1.12")))
        .hasSize(32);
    assertThat(SpecTable.rpcs().stream().map(SpecTable.Rpc::service).distinct())
        .containsExactly("Identity", "Controller", "GroupController", "SnapshotMetadata", "Node");
    assertThat(SpecTable.messages()).hasSize(105);
    assertThat(SpecTable.fields()).hasSize(221);
    assertThat(SpecTable.enumValues()).hasSize(59);
    assertThat(SpecTable.extensions()).hasSize(7);
  }

  @Test
  void thePackageIsThePublishedOne() {
    assertThat(CsiProto.getDescriptor().getPackage()).isEqualTo("csi.v1");
    assertThat(CsiProto.getDescriptor().toProto().getSyntax()).isEqualTo("proto3");
  }

  @Test
  void everyJsonNameIsTheOneThatFollowsFromThePublishedName() {
    Map<String, String> expected = new TreeMap<>();
    Map<String, String> actual = new TreeMap<>();
    for (Descriptor message : compiled.messageDescriptors()) {
      for (FieldDescriptor field : message.getFields()) {
        expected.put(field.getFullName(), camelCase(DescriptorRows.publishedName(field)));
        actual.put(field.getFullName(), field.getJsonName());
      }
    }
    assertThat(actual).isEqualTo(expected);
  }

  @Test
  void onlyTheFourFieldsThatClashInJavaHaveAnotherName() {
    List<String> renamed =
        compiled.messageDescriptors().stream()
            .flatMap(m -> m.getFields().stream())
            .filter(f -> !f.getName().equals(DescriptorRows.publishedName(f)))
            .map(f -> f.getFullName() + " = " + f.getNumber() + ", JSON " + f.getJsonName())
            .toList();
    assertThat(renamed)
        .containsExactlyInAnyOrder(
            "csi.v1.CreateVolumeRequest.mutable_params = 8, JSON mutableParameters",
            "csi.v1.ValidateVolumeCapabilitiesRequest.mutable_params = 6, JSON mutableParameters",
            "csi.v1.ValidateVolumeCapabilitiesResponse.Confirmed.mutable_params = 4, JSON"
                + " mutableParameters",
            "csi.v1.ControllerModifyVolumeRequest.mutable_params = 3, JSON mutableParameters");
  }

  private static void assertSame(List<String> compiled, List<?> published) {
    assertThat(compiled)
        .containsExactlyInAnyOrderElementsOf(published.stream().map(Object::toString).toList());
  }

  private static String camelCase(String name) {
    return UNDERSCORE.matcher(name).replaceAll(m -> m.group(1).toUpperCase(Locale.ROOT));
  }
}
