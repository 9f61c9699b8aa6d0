#pragma once
// Catch2 for the files with main().

#define CATCH_CONFIG_RUNNER
#include "tests/support/catch.h"

#if CATCH_VERSION_MAJOR >= 3
#include <catch2/catch_session.hpp>
#endif

namespace sscope::test {

// Sets a session up so that a test case or section that asserts nothing fails, since it cannot fail otherwise; so does
// a name that no case has.
inline void makeStrict(Catch::Session& session) {
#if CATCH_VERSION_MAJOR >= 3
  constexpr auto kNoSuchName = Catch::WarnAbout::UnmatchedTestSpec;
#else
  constexpr auto kNoSuchName = Catch::WarnAbout::NoTests;
#endif
  session.configData().warnings = static_cast<Catch::WarnAbout::What>(Catch::WarnAbout::NoAssertions | kNoSuchName);
}

// Whether a session with its command line was asked for names only; it then needs no display.
inline bool onlyLists(Catch::Session& session) {
#if CATCH_VERSION_MAJOR >= 3
  return session.config().listTests();
#else
  return session.config().listTests() || session.config().listTestNamesOnly();
#endif
}

}  // namespace sscope::test
