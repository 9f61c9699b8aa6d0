#pragma once
// PyWavelets as a second opinion, where Python and it are installed.

#include <string>

#include "tests/support/python.h"

namespace sscope::test {

// The interpreter that can import pywt and numpy; empty when there is none.
[[nodiscard]] std::string pythonWithPywt();

}  // namespace sscope::test
