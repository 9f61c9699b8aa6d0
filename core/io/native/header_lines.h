#pragma once
// The lines of a text header, bounded: what is longer than a header can be is no header.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

namespace sscope::io {

class HeaderLines {
 public:
  explicit HeaderLines(const std::string& path) : file_(path, std::ios::binary) {}

  // The next line without its end ("\n" or "\r\n"). False at the end of the file, or where the header is too long.
  [[nodiscard]] bool next(std::string& line);
  // Of one line or of all: nobody wrote that by hand, and every program would choke on it.
  [[nodiscard]] bool tooLong() const { return tooLong_; }
  // Bytes read so far.
  [[nodiscard]] std::int64_t position() const { return position_; }

 private:
  std::ifstream file_;
  std::int64_t position_ = 0;
  bool tooLong_ = false;
};

}  // namespace sscope::io
