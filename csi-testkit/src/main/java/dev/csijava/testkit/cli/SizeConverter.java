package dev.csijava.testkit.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes as Kubernetes writes them: 1Gi, 500M, or plain bytes. */
final class SizeConverter implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("(-?[0-9]+)([kKMGTPE]?)(i?)B?");
  private static final String UNITS = "kMGTPE";

  @Override
  public Long convert(String text) {
    return parse(text);
  }

  static long parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches() || (matcher.group(2).isEmpty() && !matcher.group(3).isEmpty())) {
      throw new TypeConversionException("'" + text + "' is no size; write 1Gi, 500M or bytes");
    }
    try {
      long value = Long.parseLong(matcher.group(1));
      String unit = matcher.group(2).replace('K', 'k');
      int power = unit.isEmpty() ? 0 : UNITS.indexOf(unit) + 1;
      for (int i = 0; i < power; i++) {
        value = Math.multiplyExact(value, matcher.group(3).isEmpty() ? 1000 : 1024);
      }
      return value;
    } catch (ArithmeticException | NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is more than 64 bits hold");
    }
  }
}
