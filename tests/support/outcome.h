#pragma once
// Exit status of a test program: 0, nothing failed; 1, something failed; kSkipStatus, there was nothing to test.

#include <string>

namespace sscope::test {

// CTest knows a skipped test by this exit status (SKIP_RETURN_CODE in tests/CMakeLists.txt). What is printed decides
// nothing: a failing test that mentions a skip is a failing test.
inline constexpr int kSkipStatus = 4;

// Marks the running test case as skipped and prints the reason for the runner's list; the case goes on.
void noteSkip(const std::string& reason);

// main()'s result after a session that ended with `failed`: kSkipStatus when every case that ran was skipped.
[[nodiscard]] int exitStatus(int failed);

}  // namespace sscope::test
