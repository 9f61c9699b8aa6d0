#pragma once
// For the files with main(), which include Catch2 with CATCH_CONFIG_RUNNER before this.

namespace sscope::test {

// A test case or section that asserts nothing fails, since it cannot fail otherwise; so does a name that no case has.
inline constexpr auto kStrict =
    static_cast<Catch::WarnAbout::What>(Catch::WarnAbout::NoAssertions | Catch::WarnAbout::NoTests);

}  // namespace sscope::test
