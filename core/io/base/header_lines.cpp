#include "core/io/base/header_lines.h"

namespace sscope::io {

namespace {
constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::int64_t kLongestHeader = std::int64_t{16} << 20;
}  // namespace

bool HeaderLines::next(std::string& line) {
  line.clear();
  if (tooLong_) return false;
  using Traits = std::char_traits<char>;
  std::streambuf& bytes = *file_.rdbuf();
  for (int byte = bytes.sbumpc(); byte != Traits::eof(); byte = bytes.sbumpc()) {
    ++position_;
    if (byte == '\n') {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return true;
    }
    if (line.size() == kLongestLine || position_ == kLongestHeader) {
      tooLong_ = true;
      return false;
    }
    line += Traits::to_char_type(byte);
  }
  return !line.empty();
}

}  // namespace sscope::io
