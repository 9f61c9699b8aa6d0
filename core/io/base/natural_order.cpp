#include "core/io/base/natural_order.h"

#include <cctype>
#include <cstddef>

namespace sscope::io {

namespace {

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The run of digits that starts at `at`, without leading zeros.
std::string digitsAt(const std::string& text, std::size_t& at) {
  std::string run;
  for (; at < text.size() && digit(text[at]); ++at)
    if (!run.empty() || text[at] != '0') run += text[at];
  return run;
}

}  // namespace

bool naturallyBefore(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const std::string x = digitsAt(a, i), y = digitsAt(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

}  // namespace sscope::io
