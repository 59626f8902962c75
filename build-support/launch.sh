# What the programs in bin share; they source it after "cd" to the root of the tree. It finds a JDK
# that can run our newest classes, builds what is missing and puts class paths together.

newest_java=25

die() { printf '[ERROR] %s\n' "$*" >&2; exit 1; }

# The feature release of the Java that lies in a folder, or nothing.
java_release() {
  local line
  [[ -x $1/bin/java && -f $1/release ]] || return 0
  line=$(grep -m1 '^JAVA_VERSION="' "$1/release") || return 0
  line=${line#*\"}
  printf '%s\n' "${line%%[!0-9]*}"
}

# Where Java may be: the environment, the PATH, Debian's alternatives, beside any of these, and where
# tools of developers put it.
java_candidates() {
  local name program homes=()
  for name in JAVA_HOME $(compgen -e | grep -E "^(JAVA|JDK)_?(HOME_?)?${newest_java}(_|$)|^JAVA_HOME_" || true); do
    [[ -z ${!name:-} ]] || homes+=("${!name}")
  done
  while read -r program; do
    homes+=("$(dirname "$(dirname "$(readlink -f "$program")")")")
  done < <(type -ap java; update-alternatives --list java 2> /dev/null || true)
  for name in ${homes[@]+"${homes[@]}"}; do
    printf '%s\n' "$name"
  done
  for name in ${homes[@]+"${homes[@]}"}; do
    printf '%s\n' "$(dirname "$name")"/*/
  done
  printf '%s\n' ~/.jdks/*/ ~/.sdkman/candidates/java/*/
}

# Sets "java" to a program that runs classes of our newest release.
need_java() {
  local home release
  while read -r home; do
    release=$(java_release "${home%/}")
    if [[ -n $release && $release -ge $newest_java ]]; then
      java=${home%/}/bin/java
      return
    fi
  done < <(java_candidates)
  die "no Java $newest_java found; install one (for example package temurin-$newest_java-jdk) or set JAVA_HOME"
}

# Whether a module was built, with all that it runs on, and no source of either is younger.
is_built() {
  local module=$1 source jars=("$1"/target/*[0-9].jar)
  [[ -e ${jars[0]} && -d $module/target/lib ]] || return 1
  [[ ${CSI_BUILD:-missing} != never ]] || return 0
  for source in "$module" csi-*; do
    [[ $source == "$module" || -n $(compgen -G "$module/target/lib/$source-[0-9]*.jar") ]] || continue
    [[ -z $(find "$source/src/main" "$source/pom.xml" -newer "${jars[0]}" -print -quit) ]] || return 1
  done
}

# Builds the modules of which one is missing or older than its sources; says so, on standard error.
need_built() {
  local module missing=()
  for module; do
    is_built "$module" || missing+=("$module")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  [[ ${CSI_BUILD:-missing} != never ]] || die "not built: ${missing[*]}"
  command -v mvn > /dev/null || die "not built: ${missing[*]}; install Maven (Debian: maven) or build elsewhere"
  printf 'building %s ...\n' "${missing[*]}" >&2
  mvn -q -B -Dstyle.color=never -pl "$(IFS=,; printf '%s' "${missing[*]}")" -am package \
    -Dmaven.test.skip=true -Dexec.skip=true -Denforcer.skip=true -Dcsi.compiler.checks=-implicit:none >&2 || die "the build failed"
  for module in "${missing[@]}"; do
    touch "$module"/target/*.jar
  done
}

# The jar of a module and what it runs on. Jars only: a cache of classes needs that.
class_path() {
  local paths=("$1"/target/*[0-9].jar "$1"/target/lib/*.jar)
  (IFS=:; printf '%s\n' "${paths[*]/#/$PWD/}")
}
