#include "tests/support/outcome.h"

#include <iostream>

#include "tests/support/catch_listener.h"

namespace sscope::test {

namespace {

struct Counts {
  int cases = 0, skipped = 0;
  bool skippedNow = false;
};

Counts& counts() {
  static Counts counts;
  return counts;
}

struct CountSkips : Catch::EventListenerBase {
  using Catch::EventListenerBase::EventListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo&) override { counts().skippedNow = false; }
  void testCaseEnded(const Catch::TestCaseStats&) override {
    ++counts().cases;
    if (counts().skippedNow) ++counts().skipped;
  }
};
CATCH_REGISTER_LISTENER(CountSkips)

}  // namespace

void noteSkip(const std::string& reason) {
  std::cout << "SKIPPED: " << reason << std::endl;
  counts().skippedNow = true;
}

int exitStatus(int failed) {
  if (failed != 0) return 1;
  return counts().skipped > 0 && counts().skipped == counts().cases ? kSkipStatus : 0;
}

}  // namespace sscope::test
