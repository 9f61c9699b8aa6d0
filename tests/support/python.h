#pragma once
// Python's libraries as a second opinion, where they are installed.

#include <string>
#include <vector>

namespace sscope::test {

// The interpreter that can import these modules ("scipy.ndimage, numpy"); empty when there is none.
[[nodiscard]] std::string pythonThatImports(const std::string& modules);
// Runs a script and returns the numbers that it prints, one a line; fails the test when the script fails.
[[nodiscard]] std::vector<double> numbersFrom(const std::string& python, const std::string& script);
// "[0x1.8p+0, ...]" after float.fromhex: the numbers exactly as they are.
[[nodiscard]] std::string pythonList(const std::vector<double>& values);

}  // namespace sscope::test
