#!/bin/sh
# usage: assertions.sh [FOLDER]: every test case under FOLDER (default: tests) asserts something, itself or through a
# function of the tests; one that does not cannot fail. What is asserted only in a loop that never turns is noticed when
# it runs (tests/support/main.cpp).
set -u
status=0
bad() {
  echo "$1"
  status=1
}

# Blocks are what clang-format makes of them: a head that ends with "{", and a "}" in the same column. Each is read into
# text[]; functions that assert, or call one that does, are learned until nothing is new.
scan() {
  # Left out: cases that fail or skip on purpose, and one whose assertions are the compiler's.
  find "$1" \( -name '*.cpp' -o -name '*.h' \) -not -path '*/outcome/*' -not -name headers_test.cpp | LC_ALL=C sort | xargs awk '
    function indent(line) { match(line, /^ */); return RLENGTH }
    function calls(body, name) { return body ~ ("(^|[^A-Za-z0-9_])" name "(<[^;(]*>)?[({]") }
    function finish(   name) {
      if (head ~ /^TEST_CASE/) {
        cases[++count] = where; text_of_case[count] = body
      } else {
        name = head; sub(/\(.*/, "", name); sub(/ = \[.*/, "", name); sub(/.*[^A-Za-z0-9_~]/, "", name)
        if (name != "" && name !~ /^(if|for|while|switch|do|catch|namespace|struct|class|SECTION|operator)$/)
          text[name] = text[name] body
      }
    }
    FNR == 1 { depth = 0; head = "" }
    { line = $0; sub(/\/\/.*/, "", line) }
    line ~ /^TEST_CASE/ { depth = 0; head = "" }  # whatever the lines before it were
    # One test case or function at a time, the outermost; members of structures count as outermost.
    depth == 0 && line ~ /^ *(struct|class|namespace|enum|union|extern)[^;]*\{ *$/ { next }
    depth == 0 && line ~ /^ *(public|private|protected):/ { head = ""; next }
    depth == 0 {
      if (head == "") { start = indent(line); where = FILENAME ":" FNR ": " line }
      head = head line
      if (line ~ /[;}] *$/ && line !~ /\{ *$/) {
        if (head ~ /\{.*\}/) { body = head; sub(/^[^{]*\{/, "", body); sub(/^ */, "", head); finish() }
        head = ""
      } else if (line ~ /\{ *$/) { depth = 1; body = ""; sub(/^ */, "", head) }
      else if (line ~ /^ *$/ || line ~ /^#/) head = ""
      next
    }
    { body = body "\n" line }
    indent(line) == start && line ~ /^ *\}/ { finish(); depth = 0; head = "" }
    END {
      assertion = "(^|[^A-Za-z0-9_])(REQUIRE|CHECK|FAIL)(_[A-Z_]+)?\\("
      for (name in text) if (text[name] ~ assertion) asserts[name] = 1
      do {
        new = 0
        for (name in text)
          if (!(name in asserts))
            for (known in asserts)
              if (calls(text[name], known)) { asserts[name] = 1; new = 1; break }
      } while (new)
      for (i = 1; i <= count; ++i) {
        found = text_of_case[i] ~ assertion
        for (known in asserts) if (found || calls(text_of_case[i], known)) { found = 1; break }
        if (!found) print "asserts nothing: " cases[i]
      }
      print count " test cases"
    }'
}

if [ $# = 0 ]; then
  # That it sees what it is there for.
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cat >"$folder/planted.cpp" <<'CPP'
namespace {
void expect(int a) {
  CHECK(a == 1);
}
void expectTwice(int a) {
  expect(a);
  expect(a + 1);
}
int plain() { return 3; }
}  // namespace
TEST_CASE("good") { CHECK(true); }
TEST_CASE("good through others",
          "[tag]") {
  expectTwice(plain());
}
TEST_CASE("bad in a line") { plain(); }
TEST_CASE("bad in a comment") {
  // CHECK(plain() == 3);
  plain();
}
TEST_CASE("bad, with a name like an assertion's") {
  MYCHECK(plain());
}
TEST_CASE_METHOD(Machine, "good with a machine") {
  for (int i = 0; i < 3; ++i) {
    CHECK(i < 3);
  }
}
CPP
  [ "$(scan "$folder" | grep -c 'asserts nothing: .*"bad')" = 3 ] || bad "of three planted cases not all are found: $(scan "$folder")"
  [ "$(scan "$folder" | grep -c 'asserts nothing')" = 3 ] || bad "good cases are found: $(scan "$folder")"
  scan "$folder" | grep -qx '6 test cases' || bad "the planted cases are not counted: $(scan "$folder")"
fi

found=$(scan "${1:-tests}")
echo "$found"
! echo "$found" | grep -q 'asserts nothing' || status=1
# CMake would make two tests of such a name, neither of which there is.
! grep -rnE '^TEST_CASE[A-Z_]*\(.*"[^"]*;[^"]*"' --include='*.cpp' "${1:-tests}" || bad "names of test cases must not hold a semicolon"
[ $# != 0 ] || [ "$(echo "$found" | tail -n 1 | cut -d ' ' -f 1)" -gt 500 ] || bad "the pattern of test cases finds too few"
exit $status
