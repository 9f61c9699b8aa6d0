#include "tests/wavelet/pywt.h"

namespace sscope::test {

std::string pythonWithPywt() { return pythonThatImports("pywt, numpy"); }

}  // namespace sscope::test
