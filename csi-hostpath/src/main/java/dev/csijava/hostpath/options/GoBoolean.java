package dev.csijava.hostpath.options;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A switch in the spellings that Go takes. */
final class GoBoolean implements ITypeConverter<Boolean> {
  @Override
  public Boolean convert(String value) {
    return GoArguments.bool(value)
        .orElseThrow(
            () -> new TypeConversionException("'" + value + "' is neither true nor false"));
  }
}
