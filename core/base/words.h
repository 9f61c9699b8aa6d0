#pragma once
// Texts for people: counts, lists, sizes and errors in words, and texts made safe for one line.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace sscope {

// "1 rank", "2 ranks".
[[nodiscard]] inline std::string counted(std::int64_t count, std::string_view one) {
  return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

// How much of a stopped job was done: "stopped after 1 of 10 rows", or "stopped after 3 rows" if `all` is 0 (unknown).
[[nodiscard]] inline std::string stoppedAfter(std::int64_t done, std::string_view one, std::int64_t all = 0) {
  return "stopped after " + (all > 0 ? std::to_string(done) + " of " + counted(all, one) : counted(done, one));
}

// "x, y and z".
[[nodiscard]] inline std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

// "512 bytes", "1.5 MiB".
[[nodiscard]] std::string bytesText(double bytes);
// Rounded up: "3 MiB".
[[nodiscard]] std::string mebibytes(std::int64_t bytes);

// The message of a caught exception: that of an Error, or a sentence that explains std::bad_alloc and threads that
// cannot be started.
[[nodiscard]] std::string wordsOf(const std::exception& error);

// Makes untrusted text (file names, file contents) safe for one line of a terminal: control characters, line separators
// and direction marks become '?'.
[[nodiscard]] std::string inOneLine(std::string_view text);

// At most `most` bytes of a UTF-8 text, cut between characters; "…" marks the cut.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

}  // namespace sscope
