#!/bin/sh
# usage: outcomes.sh PROGRAM CTEST PROPERTY VALUE: runs the cases of PROGRAM (outcomes.cpp) through CTEST with the
# property by which tests are skipped, as tests/CMakeLists.txt sets it, and looks at the count of ./test.
set -u
program=$1 ctest=$2 property=$3 value=$4
status=0
bad() {
  echo "$1"
  status=1
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

add() {
  name=$1
  shift
  {
    echo "add_test([=[$name]=] $*)"
    echo "set_tests_properties([=[$name]=] PROPERTIES $property $value)"
  } >>"$folder/CTestTestfile.cmake"
}
sed -n 's/^TEST_CASE("\([^"]*\)".*/\1/p' "$(dirname "$0")/outcomes.cpp" >"$folder/names"
while read -r name; do add "$name" "[=[$program]=] [=[$name]=]"; done <"$folder/names"
add "a script that says SKIPPED and fails" 'sh -c "echo SKIPPED: a word; exit 1"'
add "a script that skips" 'sh -c "echo SKIPPED: a tool is missing; exit 4"'

"$ctest" --test-dir "$folder" --output-junit junit.xml >"$folder/log" 2>&1 && bad "ctest is content with failures"
.ci/summary "$folder/junit.xml" >"$folder/summary" && bad "the summary is content with failures"
cat >"$folder/wanted" <<'TEXT'
failed:  a script that says SKIPPED and fails
failed:  asserts nothing
failed:  asserts nothing in a section
failed:  fails
failed:  fails in the section after a skip
failed:  says SKIPPED and fails
failed:  skips after a failure
failed:  throws after a skip
skipped: a script that skips (a tool is missing)
skipped: also skips (it has no file)
skipped: skips (it has <no> hardware)
2 passed, 8 failed, 3 skipped
TEXT
LC_ALL=C sort "$folder/summary" | sed -n '/^[fs]/p' >"$folder/found"
tail -n 1 "$folder/summary" >>"$folder/found"
diff "$folder/wanted" "$folder/found" || bad "the count of the outcomes differs (wanted: <, found: >)"

# By hand, several at once: a skip among others that passed is no reason to complain; skips alone are.
"$program" "passes,skips" >/dev/null || bad "passed and skipped cases in one run give an error"
"$program" "skips,also skips" >/dev/null
[ $? = 4 ] || bad "a run of nothing but skips does not end with 4"
"$program" "skips,fails" >/dev/null
[ $? = 1 ] || bad "a run with a failure does not end with 1"

"$program" "a name that no case has" >/dev/null && bad "a name that no case has gives no error"

grep -rn "SKIP_REGULAR""_EXPRESSION" --include=CMakeLists.txt . && bad "what is printed must not make a failure a skip"
exit $status
