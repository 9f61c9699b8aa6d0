#pragma once
// Catch2 for the files with main().

#define CATCH_CONFIG_RUNNER
#include "tests/support/catch.h"

namespace sscope::test {

// Sets a session up so that a test case or section that asserts nothing fails, since it cannot fail otherwise; so does
// a name that no case has.
inline void makeStrict(Catch::Session& session) {
  session.configData().warnings =
      static_cast<Catch::WarnAbout::What>(Catch::WarnAbout::NoAssertions | Catch::WarnAbout::NoTests);
}

// Whether a session with its command line was asked for names only; it then needs no display.
inline bool onlyLists(Catch::Session& session) {
  return session.config().listTests() || session.config().listTestNamesOnly();
}

}  // namespace sscope::test
