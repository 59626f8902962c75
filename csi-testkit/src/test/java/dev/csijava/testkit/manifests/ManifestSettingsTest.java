package dev.csijava.testkit.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.testkit.manifests.ManifestSettings.NamedClass;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManifestSettingsTest {
  private static ManifestSettings of(String name, String kubelet, String policy) {
    return new ManifestSettings(
        name,
        DeploymentMode.SINGLE,
        "default",
        false,
        kubelet,
        new ManifestSettings.Container("x", List.of(), Map.of(), Map.of(), 0, "", ""),
        new ManifestSettings.Sidecars("x", false, false, false, false, "", ""),
        new ManifestSettings.DriverObject(
            false, false, policy, false, false, List.of(), false, 0, false),
        new ManifestSettings.Classes(List.of(), List.of(), List.of(), List.of()));
  }

  private static ManifestSettings.Container container(
      Map<String, String> hostPaths, int healthPort, String readyPath) {
    return new ManifestSettings.Container(
        "x", List.of(), hostPaths, Map.of(), healthPort, "/healthz", readyPath);
  }

  @Test
  void takesWhatMakesValidObjects() {
    assertThat(of("disk-1", "/var/lib/kubelet", "None").name()).isEqualTo("disk-1");
    assertThat(NamedClass.parse("a:b=c=d,e=").parameters()).isEqualTo(Map.of("b", "c=d", "e", ""));
  }

  @Test
  void refusesWhatWouldMakeNone() {
    assertThatThrownBy(() -> of("Upper", "/k", "File")).hasMessageContaining("is no name");
    assertThatThrownBy(() -> of("", "/k/", "File")).hasMessageContaining("absolute path");
    assertThatThrownBy(() -> of("", "/k", "Any")).hasMessageContaining("fsGroupPolicy is");
    assertThatThrownBy(() -> NamedClass.parse("a:b")).hasMessageContaining("is no class");
    assertThatThrownBy(() -> NamedClass.parse("Fast")).hasMessageContaining("no name of a class");
    assertThatThrownBy(() -> container(Map.of("data", "/x"), 0, ""))
        .hasMessageContaining("both paths of a host path are absolute, not data=/x");
    assertThatThrownBy(() -> container(Map.of(), 70000, "")).hasMessageContaining("70000");
    assertThatThrownBy(() -> container(Map.of(), 0, "/readyz")).hasMessageContaining("the port");
    assertThatThrownBy(() -> container(Map.of(), 1, "readyz")).hasMessageContaining("with /");
    assertThatThrownBy(
            () ->
                new ManifestSettings.DriverObject(
                    false, false, "File", false, false, List.of(), false, 5, false))
        .hasMessageContaining("every 10 seconds at most, not 5");
    assertThatThrownBy(
            () ->
                new ManifestSettings.Classes(
                    List.of(), List.of(), List.of(), List.of(NamedClass.parse("gold"))))
        .hasMessageContaining("gold has no parameters");
  }
}
