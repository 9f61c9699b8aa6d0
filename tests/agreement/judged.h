#pragma once
// What a sample of programs, types and data comes to.

#include <string>

#include "tests/support/catch.h"

namespace sscope::test {

// Steps that iterate or decide, on the noise of small integers, can leave nothing that rounding does not decide: such a
// case is no failure, but few may be.
struct Judged {
  int all = 0, undecided = 0;
  void check(const std::string& wrong) {
    ++all;
    if (wrong.find("rounding decides every element") != std::string::npos) {
      ++undecided;
    } else {
      CHECK(wrong == "");
    }
  }
  void requireMost() const { CHECK(4 * undecided <= all); }
};

}  // namespace sscope::test
