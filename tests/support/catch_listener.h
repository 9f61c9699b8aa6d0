#pragma once
// Catch2 with its listeners, and the name of a case that ended; included before all that includes Catch2 without them.

#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "tests/support/catch.h"

#if CATCH_VERSION_MAJOR >= 3
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>

namespace sscope::test {
inline std::string nameOf(const Catch::TestCaseStats& stats) { return stats.testInfo->name; }
}  // namespace sscope::test
#else
namespace Catch {
using EventListenerBase = TestEventListenerBase;
}  // namespace Catch

namespace sscope::test {
inline std::string nameOf(const Catch::TestCaseStats& stats) { return stats.testInfo.name; }
}  // namespace sscope::test
#endif
