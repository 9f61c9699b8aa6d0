#pragma once
// Reads the lines of a text header, up to a maximum length.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

namespace sscope::io {

class HeaderLines {
 public:
  explicit HeaderLines(const std::string& path) : file_(path, std::ios::binary) {}

  // The next line without its end ("\n" or "\r\n"). False at the end of the file, and when the header is too long.
  [[nodiscard]] bool next(std::string& line);
  // Whether one line, or the whole header, exceeded the maximum.
  [[nodiscard]] bool tooLong() const { return tooLong_; }
  // Bytes read so far.
  [[nodiscard]] std::int64_t position() const { return position_; }

 private:
  std::ifstream file_;
  std::int64_t position_ = 0;
  bool tooLong_ = false;
};

}  // namespace sscope::io
