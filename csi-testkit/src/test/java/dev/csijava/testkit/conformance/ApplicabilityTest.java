package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import dev.csijava.testkit.client.DriverCapabilities;
import dev.csijava.testkit.requirement.RequirementInventory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicabilityTest {
  @ParameterizedTest(name = "{0} with {1}")
  @CsvSource(
      delimiter = ';',
      nullValues = "-",
      value = {
        "IDENT-INFO-001; -; -",
        "NODE-PUB-001; -; there is no Node service at the endpoint",
        "NODE-PUB-001; service:Node; -",
        "CTRL-VALIDATE-002; -; plugin:CONTROLLER_SERVICE is not advertised",
        "CTRL-VALIDATE-002; plugin:CONTROLLER_SERVICE; -",
        "CTRL-CREATE-002; plugin:CONTROLLER_SERVICE; ctrl:CREATE_DELETE_VOLUME is not advertised",
        "CTRL-CREATE-002; plugin:CONTROLLER_SERVICE ctrl:CREATE_DELETE_VOLUME; -",
        "CTRL-CREATE-029; plugin:CONTROLLER_SERVICE; ctrl:CREATE_DELETE_VOLUME is not advertised",
        "CTRL-CREATE-029; plugin:CONTROLLER_SERVICE ctrl:CREATE_DELETE_VOLUME; -",
        "CTRL-CREATE-029; plugin:CONTROLLER_SERVICE ctrl:CREATE_DELETE_VOLUME ctrl:MODIFY_VOLUME;"
            + " the row is about the absence of ctrl:MODIFY_VOLUME, which is advertised",
        "V113-CAPS-005; plugin:CONTROLLER_SERVICE; -",
        "V113-CAPS-005; plugin:CONTROLLER_SERVICE ctrl:GET_VOLUME_HEALTH;"
            + " the row is about the absence of ctrl:GET_VOLUME_HEALTH, which is advertised",
        "CTRL-EXPAND-008; plugin:CONTROLLER_SERVICE ctrl:EXPAND_VOLUME; -",
        "CTRL-EXPAND-008; plugin:CONTROLLER_SERVICE ctrl:EXPAND_VOLUME"
            + " plugin:VolumeExpansion.ONLINE; the driver advertises that volumes in use grow"
            + " (plugin:VolumeExpansion.ONLINE)",
        "NODE-STATS-001; service:Node; node:GET_VOLUME_STATS or node:VOLUME_CONDITION is not"
            + " advertised",
        "NODE-STATS-001; service:Node node:VOLUME_CONDITION; -",
        "GEN-COND-002; ctrl:VOLUME_CONDITION; node:VOLUME_CONDITION is not advertised",
        "CTRL-PUB-016; plugin:CONTROLLER_SERVICE ctrl:PUBLISH_UNPUBLISH_VOLUME; -",
        "CTRL-GETSNAP-006; plugin:CONTROLLER_SERVICE"
            + " group:CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT; -",
        "CTRL-EXPAND-011; plugin:CONTROLLER_SERVICE ctrl:EXPAND_VOLUME node:STAGE_UNSTAGE_VOLUME;"
            + " the row is about the absence of node:STAGE_UNSTAGE_VOLUME, which is advertised",
      })
  void columnIsReadAsItIsMeant(String row, String advertised, String reason) {
    DriverCapabilities driver =
        DriverCapabilities.of(
            advertised == null
                ? java.util.List.of()
                : Splitter.on(' ').omitEmptyStrings().splitToList(advertised));
    assertThat(Applicability.whyNot(RequirementInventory.shipped().row(row), driver).orElse(null))
        .isEqualTo(reason);
  }
}
