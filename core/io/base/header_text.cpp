#include "core/io/base/header_text.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace sscope::io {

bool HeaderLines::next(std::string& line) {
  constexpr std::size_t kLongestLine = std::size_t{1} << 20;
  constexpr std::int64_t kLongestHeader = std::int64_t{16} << 20;
  line.clear();
  if (tooLong_) return false;
  using Traits = std::char_traits<char>;
  for (int byte = bytes_.sbumpc(); byte != Traits::eof(); byte = bytes_.sbumpc()) {
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

std::string trimmed(const std::string& text) {
  constexpr const char* kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string> wordsIn(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string lowerCased(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace sscope::io
