package dev.csijava.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.csijava.spec.v1.CsiProto;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every message, filled with every field, goes between our classes and each published version
 * unharmed, as bytes and as JSON.
 */
class PublishedWireTest {

  private static final Map<String, PublishedSpec> PUBLISHED =
      Map.of("1.12", PublishedSpec.of("1.12"), "1.13", PublishedSpec.of("1.13"));

  static Stream<Arguments> messages() {
    return Stream.of("1.12", "1.13")
        .flatMap(
            version ->
                SpecTable.messages().stream()
                    .filter(m -> SpecTable.isIn(m.versions(), version))
                    .map(m -> Arguments.of(version, m.name())));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void whatAPublishedVersionWritesIsReadAndWrittenByteForByte(String version, String name)
      throws Exception {
    Descriptor descriptor = descriptor(version, name);
    for (int variant = 0; variant < Samples.variants(descriptor); variant++) {
      DynamicMessage published = Samples.filled(descriptor, variant);

      Message ours = ours(name).getParserForType().parseFrom(published.toByteString());

      assertThat(ours.toByteString()).isEqualTo(published.toByteString());
      // JSON shows known fields only: equal JSON means that nothing stayed unknown.
      assertThat(JsonFormat.printer().print(ours)).isEqualTo(JsonFormat.printer().print(published));
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void jsonOfAPublishedVersionIsRead(String version, String name) throws Exception {
    Descriptor descriptor = descriptor(version, name);
    for (int variant = 0; variant < Samples.variants(descriptor); variant++) {
      DynamicMessage published = Samples.filled(descriptor, variant);
      Message.Builder ours = ours(name).newBuilderForType();

      JsonFormat.parser().merge(JsonFormat.printer().print(published), ours);

      assertThat(ours.build().toByteString()).isEqualTo(published.toByteString());
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aCallerOfOneVersionHandsBackUnharmedWhatOnlyTheOtherKnows(String version, String name)
      throws Exception {
    Message ours = ours(name);
    for (int variant = 0; variant < Samples.variants(ours.getDescriptorForType()); variant++) {
      DynamicMessage sent = Samples.filled(ours.getDescriptorForType(), variant);

      DynamicMessage atTheCaller =
          DynamicMessage.parseFrom(descriptor(version, name), sent.toByteString());

      assertThat(DynamicMessage.parseFrom(ours.getDescriptorForType(), atTheCaller.toByteString()))
          .isEqualTo(sent);
    }
  }

  private static Descriptor descriptor(String version, String name) {
    return Objects.requireNonNull(PUBLISHED.get(version)).message(name);
  }

  /** The default instance of our generated class. */
  private static Message ours(String name) throws ReflectiveOperationException {
    String className = CsiProto.class.getPackageName() + "." + name.replace('.', '$');
    return (Message)
        Objects.requireNonNull(
            Class.forName(className).getMethod("getDefaultInstance").invoke(null));
  }
}
