package dev.csijava.core;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Reads from the compiled tests which rows of the inventory they say to prove. */
final class ProvenRows {
  private static final Pattern RUN_BY_THE_BUILD = Pattern.compile(".*(Test|IT)");

  private final SortedMap<String, List<String>> byRow = new TreeMap<>();
  private final List<String> claimsWithoutTest = new ArrayList<>();

  private ProvenRows(JavaClasses classes) {
    for (JavaClass type : classes) {
      for (JavaMethod method : type.getMethods()) {
        if (method.isAnnotatedWith(Proves.class)) {
          add(method);
        }
      }
    }
  }

  /** What the classes of this module's tests say. */
  static ProvenRows ofAllTests() {
    try {
      Path root = Path.of(Proves.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return new ProvenRows(new ClassFileImporter().importPath(root));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The tests that prove each row, by name. */
  SortedMap<String, List<String>> byRow() {
    return byRow;
  }

  /** Methods that name rows although the build does not run them as tests. */
  List<String> claimsWithoutTest() {
    return claimsWithoutTest;
  }

  private void add(JavaMethod method) {
    String name = method.getOwner().getSimpleName() + "." + method.getName();
    if (!isRun(method)) {
      claimsWithoutTest.add(name);
      return;
    }
    for (String row : method.getAnnotationOfType(Proves.class).value()) {
      byRow.computeIfAbsent(row, key -> new ArrayList<>()).add(name);
    }
  }

  private static boolean isRun(JavaMethod method) {
    JavaClass type = method.getOwner();
    return (method.isAnnotatedWith(Test.class) || method.isAnnotatedWith(ParameterizedTest.class))
        && !method.isAnnotatedWith(Disabled.class)
        && !method.isAnnotatedWith(Tag.class)
        && !type.isAnnotatedWith(Disabled.class)
        && !type.isAnnotatedWith(Tag.class)
        && !type.getModifiers().contains(JavaModifier.ABSTRACT)
        && RUN_BY_THE_BUILD.matcher(type.getSimpleName()).matches();
  }
}
