// Test cases with every outcome there is, for outcomes.sh to run; hidden, since some fail on purpose.

#include <iostream>
#include <stdexcept>

#include "tests/support/catch.h"
#include "tests/support/support.h"

TEST_CASE("passes", "[.]") { CHECK(true); }

TEST_CASE("skips", "[.]") { SSCOPE_SKIP("it has <no> hardware"); }

TEST_CASE("also skips", "[.]") { SSCOPE_SKIP("it has no file"); }

TEST_CASE("says SKIPPED and passes", "[.]") {
  std::cout << "SKIPPED: a word" << std::endl;
  CHECK(true);
}

TEST_CASE("fails", "[.]") { CHECK(false); }

TEST_CASE("says SKIPPED and fails", "[.]") {
  std::cout << "SKIPPED: a word" << std::endl;
  CHECK(false);
}

TEST_CASE("skips after a failure", "[.]") {
  CHECK(false);
  SSCOPE_SKIP("too late");
}

TEST_CASE("fails in the section after a skip", "[.]") {
  SECTION("skips") {
    sscope::test::noteSkip("a part is missing");
    CHECK(true);
  }
  SECTION("fails") { CHECK(false); }
}

TEST_CASE("throws after a skip", "[.]") {
  sscope::test::noteSkip("a part is missing");
  throw std::runtime_error("and the rest is broken");
}

TEST_CASE("asserts nothing", "[.]") {}

TEST_CASE("asserts nothing in a section", "[.]") {
  CHECK(true);
  SECTION("empty") {}
}
