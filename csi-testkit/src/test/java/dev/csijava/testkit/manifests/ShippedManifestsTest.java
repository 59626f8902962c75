package dev.csijava.testkit.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests that csi-hostpath is shipped with. */
class ShippedManifestsTest {
  @ParameterizedTest
  @ValueSource(strings = {"single.yaml", "distributed.yaml"})
  void areValid(String file) throws IOException {
    List<JsonObject> objects =
        ClusterSchema.parse(Files.readString(Path.of("../csi-hostpath/deploy").resolve(file)));
    assertThat(objects).hasSizeGreaterThan(10).allSatisfy(ClusterSchema::check);
  }
}
