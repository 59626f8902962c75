package dev.csijava.hostpath.options;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A switch in the spellings that Go takes. */
final class GoBoolean implements ITypeConverter<Boolean> {
  @Override
  public Boolean convert(String value) {
    return switch (value) {
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      case "0", "f", "F", "false", "FALSE", "False" -> false;
      default -> throw new TypeConversionException("'" + value + "' is neither true nor false");
    };
  }
}
