#pragma once
// Lines and words of text headers.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/io/base/input_file.h"

namespace sscope::io {

// The lines of a text header, up to a maximum length.
class HeaderLines {
 public:
  explicit HeaderLines(const InputFile& file) : bytes_(file) {}

  // The next line without its end ("\n" or "\r\n"). False at the end of the file, and when the header is too long.
  [[nodiscard]] bool next(std::string& line);
  // Whether one line, or the whole header, exceeded the maximum.
  [[nodiscard]] bool tooLong() const { return tooLong_; }
  // Bytes read so far.
  [[nodiscard]] std::int64_t position() const { return position_; }

 private:
  InputBuffer bytes_;
  std::int64_t position_ = 0;
  bool tooLong_ = false;
};

// Without white space around it.
[[nodiscard]] std::string trimmed(const std::string& text);
// The words between white space.
[[nodiscard]] std::vector<std::string> wordsIn(const std::string& text);
[[nodiscard]] std::string lowerCased(std::string text);

}  // namespace sscope::io
