package dev.csijava.core;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.File;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The shape of csi-core that keeps it small for its users. */
class ArchitectureTest {
  private static final String CORE = "dev.csijava.core";

  /** The packages that a vendor finds; whatever lies elsewhere is ours and not public. */
  private static final String[] VENDOR_PACKAGES = {
    CORE,
    CORE + ".capacity",
    CORE + ".controller",
    CORE + ".group",
    CORE + ".health",
    CORE + ".kubelet",
    CORE + ".metadata",
    CORE + ".mount",
    CORE + ".node",
    CORE + ".operation",
  };

  private static final int MOST_PUBLIC_TYPES = 60;

  /**
   * Public since Java has no friends: the pipeline's engine, in a package of its own, and what
   * csi-native implements. Their Javadoc says so, and nothing leads a vendor to them.
   */
  private static final Set<String> FRIENDS =
      Set.of(
          CORE + ".operation.Operations",
          CORE + ".operation.OperationKeys",
          CORE + ".operation.Fingerprint",
          CORE + ".operation.Completion",
          CORE + ".mount.FileSystemRequest",
          CORE + ".mount.MounterProvider",
          CORE + ".mount.MountHolders",
          CORE + ".mount.RawPaths");

  private static JavaClasses core;

  @BeforeAll
  static void readClasses() {
    core =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(CORE);
  }

  @Test
  void packagesBesideEachOtherDoNotDependInCycles() {
    slices().matching(CORE + ".(*)..").should().beFreeOfCycles().check(core);
  }

  @Test
  void subPackagesUseOnlyTheExceptionAndTheCallContextOfTheRootPackage() {
    DescribedPredicate<JavaClass> rest =
        describe(
            "in " + CORE + " but neither CsiException nor CallContext",
            type ->
                type.getPackageName().equals(CORE)
                    && !outermost(type).isEquivalentTo(CsiException.class)
                    && !outermost(type).isEquivalentTo(CallContext.class));
    noClasses()
        .that()
        .resideInAPackage(CORE + ".(*)..")
        .should()
        .dependOnClassesThat(rest)
        .check(core);
  }

  @Test
  void filesAreNamedByPath() {
    noClasses()
        .that(not(startsProcesses()))
        .and()
        // It alone asks statvfs without a look at the mount table, which a chroot may not show.
        .doNotHaveSimpleName("ProgramUsageReader")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(File.class)
        .because("a java.io.File loses the reason of a failure; use java.nio.file.Path")
        .check(core);
  }

  @Test
  void noCommandLineIsTakenApartByTheRuntime() {
    noClasses()
        .should()
        .callMethodWhere(
            describe(
                "Runtime.exec",
                call ->
                    call.getTargetOwner().isEquivalentTo(Runtime.class)
                        && call.getTarget().getName().equals("exec")))
        .check(core);
  }

  @Test
  void oneClassOfTheMountPackageStartsProcesses() {
    Set<String> starters =
        core.stream()
            .filter(startsProcesses())
            .map(type -> outermost(type).getName())
            .collect(Collectors.toSet());
    assertThat(starters)
        .as("classes that use ProcessBuilder")
        .hasSizeLessThanOrEqualTo(1)
        .allSatisfy(name -> assertThat(name).startsWith(CORE + ".mount."));
  }

  @Test
  void b160TheTransportNeedsNoNativeLibrary() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.netty.channel.epoll..", "io.netty.channel.kqueue..", "io.netty.channel.unix..")
        .because("native transports crash where the C library is another one")
        .check(core);
  }

  @Test
  void publicTypesLieWhereVendorsLook() {
    classes().that().arePublic().should().resideInAnyPackage(VENDOR_PACKAGES).check(core);
  }

  @Test
  void publicTypesThatAVendorCanMeetStayFew() {
    assertThat(core.stream().filter(type -> type.isTopLevelClass() && isPublic(type)))
        .filteredOn(type -> !FRIENDS.contains(type.getFullName()))
        .as("public top-level types of csi-core that a vendor can meet")
        .hasSizeBetween(1, MOST_PUBLIC_TYPES - 1);
  }

  @Test
  void typesThatArePublicForFriendsOnlyAreInNoSignatureThatAVendorCanMeet() {
    Set<String> met =
        core.stream()
            .filter(type -> isPublic(type) && !FRIENDS.contains(outermost(type).getFullName()))
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
            .flatMap(
                method ->
                    Stream.concat(
                        Stream.of(method.getRawReturnType()),
                        method.getRawParameterTypes().stream()))
            .map(JavaClass::getFullName)
            .filter(FRIENDS::contains)
            .collect(Collectors.toSet());
    assertThat(met).isEmpty();
    assertThat(core.stream().map(JavaClass::getFullName)).containsAll(FRIENDS);
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC);
  }

  private static DescribedPredicate<JavaClass> startsProcesses() {
    return describe(
        "using ProcessBuilder",
        type ->
            type.getDirectDependenciesFromSelf().stream()
                .anyMatch(use -> use.getTargetClass().isEquivalentTo(ProcessBuilder.class)));
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
  }
}
