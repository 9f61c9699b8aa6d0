#!/bin/sh
# One name, one type: two files that define different types of the same full name make one program undefined, and no
# linker says so (C++'s rule of one definition). Read from the sources, whose layout clang-format keeps: namespaces and
# their types begin in the first column. Types in unnamed namespaces are each file's own.
set -u
cd "${1:-.}" || exit 1

# FILE...: "name file", one line a type defined in a named namespace or in none.
types() {
  awk '
    FNR == 1 { depth = 0; skipping = 0; delete space }
    skipping { if (/\*\//) skipping = 0; next }
    /^\/\*/ && !/\*\// { skipping = 1; next }
    /^(inline )?namespace/ {
      line = $0
      if (line ~ /=/) next                  # another name for one
      sub(/^inline /, "", line)
      sub(/^namespace */, "", line)
      sub(/ *\{.*$/, "", line)
      space[++depth] = line == "" ? "?" : line
      if ($0 ~ /\}/) depth--                # opened and closed in one line
      next
    }
    /^\} *\/\/ *(inline )?namespace/ { if (depth > 0) depth--; next }
    /^(template <.*> *)?(struct|class|union|enum|enum class|enum struct) / {
      line = $0
      sub(/\/\/.*$/, "", line)
      if (line ~ /;[ \t]*$/ && line !~ /\{/) next  # declared only
      sub(/^template <.*> *(struct|class)/, "struct", line)
      sub(/^(struct|class|union|enum class|enum struct|enum) +/, "", line)
      sub(/^(alignas\([^)]*\)|\[\[[^]]*\]\]) */, "", line)
      if (line ~ /^[A-Za-z_0-9:]+</) next          # a specialization
      if (match(line, /^[A-Za-z_][A-Za-z_0-9:]*/) == 0) next
      name = substr(line, 1, RLENGTH)
      sub(/:+$/, "", name)
      full = ""
      for (i = 1; i <= depth; ++i) {
        if (space[i] == "?") next
        full = full space[i] "::"
      }
      print full name, FILENAME
    }' "$@"
}

# Programs of tests are linked one by one: a name may stand in two folders of tests, but not beside the same name in the
# programs or in tests/support.
duplicates() {
  # shellcheck disable=SC2046  # names of ours have no spaces
  types $(find core datasets gpu ui app tests \( -name '*.h' -o -name '*.cpp' \) 2>/dev/null | sort) | sort -u | awk '
    function group(file) { return file ~ /^tests\// ? substr(file, 1, match(substr(file, 7), /\//) + 6) : "programs" }
    function together(a, b) {
      return a == b || a == "programs" || b == "programs" || a == "tests/support/" || b == "tests/support/"
    }
    {
      for (i = 1; i <= count[$1]; ++i)
        if (together(group($2), group(at[$1, i]))) print $1 ": " at[$1, i] " and " $2
      at[$1, ++count[$1]] = $2
    }'
}

# Blind or not: a planted pair is found, and what only looks like one is not.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/core/a" "$scratch/core/b" "$scratch/tests/a" "$scratch/tests/b"
cat >"$scratch/core/a/one.h" <<'CODE'
namespace sscope::cpu {
struct Twin {
  int x;
};
struct Declared;
struct Alone {};
}  // namespace sscope::cpu
namespace sscope {
namespace {
struct Own {};
}  // namespace
}  // namespace sscope
CODE
cat >"$scratch/core/b/other.cpp" <<'CODE'
namespace sscope {
namespace cpu {
struct Declared {};
}  // namespace cpu
struct Alone {};
namespace {
struct Own {};
}  // namespace
}  // namespace sscope
namespace sscope::cpu {
template <class T>
class Twin final : public Alone {
};
}  // namespace sscope::cpu
CODE
echo 'struct Scene {};' >"$scratch/tests/a/x.cpp"
echo 'struct Scene {};' >"$scratch/tests/b/x.cpp"
planted=$(cd "$scratch" && duplicates)
if [ "$planted" != "sscope::cpu::Twin: core/a/one.h and core/b/other.cpp" ]; then
  echo "the check is blind; of a planted pair it says: $planted"
  exit 1
fi

found=$(duplicates)
[ -z "$found" ] && exit 0
echo "types of one name with two definitions:"
echo "$found"
exit 1
