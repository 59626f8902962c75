package dev.csijava.testkit.load;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Writes what a run found to files.
 *
 * @since 0.1.0
 */
public final class LoadReports {
  private LoadReports() {}

  /**
   * Writes load.html, load.json and load.txt into a directory, which is made if need be. Times in
   * the JSON are in nanoseconds.
   *
   * @since 0.1.0
   */
  public static void writeTo(Path directory, LoadResult result) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("load.html"), LoadPage.of(result));
    Files.writeString(directory.resolve("load.json"), json(result));
    Files.write(directory.resolve("load.txt"), LoadText.of(result));
  }

  private static String json(LoadResult result) throws IOException {
    Struct.Builder all = Struct.newBuilder();
    all.putFields("work", text(result.settings().work().name().toLowerCase(Locale.ROOT)));
    all.putFields("volumes", number(result.settings().volumes()));
    all.putFields("concurrency", number(result.settings().concurrency()));
    all.putFields("began", text(result.began().toString()));
    all.putFields("clean", Value.newBuilder().setBoolValue(result.clean()).build());
    ListValue.Builder drivers = ListValue.newBuilder();
    result.drivers().forEach(driver -> drivers.addValues(struct(driver(driver))));
    all.putFields("drivers", Value.newBuilder().setListValue(drivers).build());
    return JsonFormat.printer().print(all) + "\n";
  }

  private static Struct.Builder driver(DriverFigures driver) {
    Struct.Builder calls = Struct.newBuilder();
    driver
        .calls()
        .forEach(
            (rpc, figures) -> {
              Struct.Builder one = Struct.newBuilder();
              one.putFields("calls", number((double) figures.calls()));
              one.putFields("failed", number((double) figures.failed()));
              one.putFields("perSecond", number(driver.rate(rpc)));
              one.putFields("mean", number(figures.mean()));
              for (double percent : LoadText.PERCENTILES) {
                String name = percent == 100 ? "max" : "p" + percent;
                one.putFields(name.replace(".0", ""), number((double) figures.percentile(percent)));
              }
              calls.putFields(rpc.title(), struct(one));
            });
    return Struct.newBuilder()
        .putFields("endpoint", text(driver.endpoint()))
        .putFields("name", text(driver.name()))
        .putFields("version", text(driver.version()))
        .putFields("calls", struct(calls));
  }

  private static Value struct(Struct.Builder struct) {
    return Value.newBuilder().setStructValue(struct).build();
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value number(double number) {
    return Value.newBuilder().setNumberValue(number).build();
  }
}
