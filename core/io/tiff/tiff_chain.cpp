#include "core/io/tiff/tiff_chain.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <unordered_set>

#include "core/io/file_error.h"

namespace sscope::io {

namespace {

class Chain {
 public:
  explicit Chain(const std::string& path) : file_(path, std::ios::binary) {}

  // How many directories there are before the first one that is missing; empty where none is.
  std::optional<std::size_t> missing() {
    std::array<char, 4> start{};
    if (!file_.read(start.data(), 4)) return 0;
    bigEndian_ = start[0] == 'M';
    const bool big = start[bigEndian_ ? 3 : 2] == 43;
    auto offset = number(big ? 8 : 4, big ? 8 : 4);
    described_ = !offset || isDescribed(*offset, big);
    constexpr std::size_t kMost = std::size_t{1} << 20;
    std::unordered_set<std::uint64_t> seen;
    for (std::size_t n = 0; n < kMost; ++n) {
      if (!offset) return n;
      if (*offset == 0) return std::nullopt;
      if (!seen.insert(*offset).second) return loops_ = true, n;
      const auto count = number(*offset, big ? 8 : 2);
      if (!count || *count > (1U << 16)) return n;
      offset = number(*offset + (big ? 8 + 20 * *count : 2 + 12 * *count), big ? 8 : 4);
    }
    return std::nullopt;
  }

  // Whether what the first directory says of the pixels' size is in the file; known after missing().
  [[nodiscard]] bool described() const { return described_; }
  // Whether the first one that is missing is another one again.
  [[nodiscard]] bool loops() const { return loops_; }

 private:
  bool isDescribed(std::uint64_t directory, bool big) {
    constexpr std::uint64_t kImageDescription = 270, kXResolution = 282, kYResolution = 283;
    constexpr std::uint64_t kText = 2, kFraction = 5;
    const std::size_t word = big ? 8 : 4, counted = big ? 8 : 2, entryBytes = big ? 20 : 12;
    const std::uint64_t entries = number(directory, counted).value_or(0);
    for (std::uint64_t n = 0; n < std::min<std::uint64_t>(entries, 1U << 16); ++n) {
      const std::uint64_t entry = directory + counted + n * entryBytes;
      const auto tag = number(entry, 2), type = number(entry + 2, 2), count = number(entry + 4, word);
      if (tag != kImageDescription && tag != kXResolution && tag != kYResolution) continue;
      const std::uint64_t each = type == kText ? 1 : type == kFraction ? 8 : 0;
      if (each == 0 || !count || *count == 0 || *count > INT32_MAX || *count * each <= word) continue;
      const auto value = number(entry + 4 + word, word);
      if (!value || !number(*value + *count * each - 1, 1)) return false;
    }
    return true;
  }

  std::optional<std::uint64_t> number(std::uint64_t offset, std::size_t bytes) {
    std::array<unsigned char, 8> raw{};
    if (offset > INT64_MAX / 2) return std::nullopt;
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    if (!file_.read(reinterpret_cast<char*>(raw.data()), static_cast<std::streamsize>(bytes))) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{raw[i]} << (8 * (bigEndian_ ? bytes - 1 - i : i));
    return value;
  }

  std::ifstream file_;
  bool bigEndian_ = false, described_ = true, loops_ = false;
};

}  // namespace

void requireTiffChain(const std::string& path) {
  Chain chain(path);
  const auto pages = chain.missing();
  if (!pages && !chain.described())
    throw damaged(path, "it is cut off or damaged: the resolution or the description of its pixels is not in the file");
  if (!pages) return;
  if (*pages == 0) throw damaged(path, "it is cut off or damaged: the directory of its pages is not in the file");
  if (chain.loops())
    throw damaged(path, "behind the " + std::to_string(*pages) + " pages that are there it names one of them again");
  throw damaged(path, "it is cut off: it has more pages than the " + std::to_string(*pages) + " that are there");
}

}  // namespace sscope::io
