#pragma once
// PyWavelets as a second opinion, where Python and it are installed.

#include <string>
#include <vector>

namespace sscope::test {

// The interpreter that can import pywt and numpy; empty when there is none.
[[nodiscard]] std::string pythonWithPywt();
// Runs a script and returns the numbers that it prints, one a line; fails the test when the script fails.
[[nodiscard]] std::vector<double> numbersFrom(const std::string& python, const std::string& script);
// "[0x1.8p+0, ...]" after float.fromhex: the numbers exactly as they are.
[[nodiscard]] std::string pythonList(const std::vector<double>& values);

}  // namespace sscope::test
