#include "tests/support/outcome.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/support/catch_listener.h"

namespace sscope::test {

namespace {

struct Counts {
  int cases = 0, skipped = 0;
  // Why the running case is skipped; empty: it is not.
  std::string reason;
};

Counts& counts() {
  static Counts counts;
  return counts;
}

// A line for tests/support/cases, on the standard output and in the file that it names. Unbuffered: the next case may
// crash.
void tellCase(const std::string& line) {
  static const char* const record = std::getenv("SSCOPE_TEST_CASES");
  if (record == nullptr) return;
  std::fflush(stdout);
  std::cout << "\nCASE " << line << std::endl;
  std::ofstream(record, std::ios::app) << "CASE " << line << '\n';
}

struct CountCases : Catch::EventListenerBase {
  using Catch::EventListenerBase::EventListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    counts().reason.clear();
    start_ = std::chrono::steady_clock::now();
    tellCase("start " + info.name);
  }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    const bool failed = stats.totals.testCases.failed > 0;
    const std::string& reason = counts().reason;
    ++counts().cases;
    if (!reason.empty()) ++counts().skipped;
    char seconds[32];
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start_;
    std::snprintf(seconds, sizeof seconds, " %.3f ", time.count());
    const std::string name = nameOf(stats);
    if (failed) {
      tellCase("fail" + (seconds + name));
    } else {
      tellCase(reason.empty() ? "pass" + (seconds + name) : "skip" + (seconds + name) + "\t" + reason);
    }
  }

 private:
  std::chrono::steady_clock::time_point start_;
};
CATCH_REGISTER_LISTENER(CountCases)

}  // namespace

void noteSkip(const std::string& reason) {
  std::cout << "SKIPPED: " << reason << std::endl;
  counts().reason = reason.empty() ? "no reason given" : reason;
}

int exitStatus(int failed) {
  if (failed != 0) return 1;
  return counts().skipped > 0 && counts().skipped == counts().cases ? kSkipStatus : 0;
}

}  // namespace sscope::test
