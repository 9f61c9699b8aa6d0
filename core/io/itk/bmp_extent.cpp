#include "core/io/itk/bmp_extent.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>

#include "core/io/file_error.h"

namespace sscope::io {

namespace {

struct Bitmap {
  std::int64_t pixels = 0, width = 0, height = 0, bits = 0;  // the first: where they begin in the file
  std::int64_t bytes = 0, fileBytes = 0;  // of the pixels and the file, as the header says; 0: it does not
  std::uint32_t packing = 0;
  bool old = false;  // the header of OS/2

  [[nodiscard]] std::int64_t rowBytes() const { return (width * bits + 31) / 32 * 4; }
};

// Behind the file's header of 14 bytes.
bool parse(std::istream& file, Bitmap& bitmap) {
  std::array<unsigned char, 54> head{};
  file.read(reinterpret_cast<char*>(head.data()), head.size());
  const auto there = file.gcount();
  const auto number = [&](std::size_t at, int bytes) {
    std::uint32_t value = 0;
    for (int i = bytes; i-- > 0;) value = value << 8 | head[at + static_cast<std::size_t>(i)];
    return value;
  };
  constexpr std::uint32_t kOldHeader = 12, kHeader = 40;
  const std::uint32_t header = there >= 18 ? number(14, 4) : 0;
  if (there < 14 + static_cast<std::streamsize>(header) && there < static_cast<std::streamsize>(head.size()))
    return false;
  bitmap.fileBytes = number(2, 4);
  bitmap.pixels = number(10, 4);
  if (header == kOldHeader) {
    bitmap.old = true;
    bitmap.width = number(18, 2);
    bitmap.height = number(20, 2);
    bitmap.bits = number(24, 2);
  } else if (header == kHeader) {
    bitmap.width = static_cast<std::int32_t>(number(18, 4));
    bitmap.height = std::abs(static_cast<std::int64_t>(static_cast<std::int32_t>(number(22, 4))));
    bitmap.bits = number(28, 2);
    bitmap.packing = number(30, 4);
    bitmap.bytes = number(34, 4);
  }
  return bitmap.width > 0 && bitmap.bits > 0 && bitmap.bits <= 32;
}

// Runs of one byte a pixel: (count, value), or (0, what follows).
class Runs {
 public:
  Runs(std::istream& file, const Bitmap& bitmap) : file_(file), bitmap_(bitmap) {}

  // Whether they come to their end without leaving the picture.
  bool end() {
    enum : int { kEndOfLine, kEnd, kMove };
    for (;;) {
      const int count = file_.get(), value = file_.get();
      // Some writers leave the mark of the end out.
      if (value == EOF)
        return count == EOF && (line_ == bitmap_.height || (line_ + 1 == bitmap_.height && column_ == bitmap_.width));
      if (count > 0) {
        column_ += count;
      } else if (value == kEnd) {
        return true;
      } else if (value == kEndOfLine) {
        column_ = 0;
        ++line_;
      } else if (value == kMove) {
        column_ += file_.get();
        line_ += file_.get();
      } else {
        column_ += value;
        file_.ignore(value + value % 2);
      }
      if (!file_ || column_ > bitmap_.width || line_ > bitmap_.height || (line_ == bitmap_.height && column_ > 0))
        return false;
    }
  }

 private:
  std::istream& file_;
  const Bitmap& bitmap_;
  std::int64_t column_ = 0, line_ = 0;
};

}  // namespace

void requireBmpPixels(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw cannotReadErrno(path, errno);
  Bitmap bitmap;
  if (!parse(file, bitmap)) return;
  // The decoder takes the bytes of these in another order, or palettes of another width.
  constexpr std::int64_t kWithFiller = 32, kPalette = 8;
  if (bitmap.bits == kWithFiller || (bitmap.old && bitmap.bits <= kPalette))
    throw cannotRead(ErrorKind::Unsupported, path, bitmap.old ? "it has a palette of OS/2" : "its pixels have 32 bits",
                     "save it as PNG");
  constexpr std::uint32_t kNone = 0, kRuns = 1, kMasks = 3;
  if (bitmap.packing == kRuns) {
    file.clear();
    file.seekg(bitmap.pixels);
    if (!Runs(file, bitmap).end()) throw damaged(path, "its packed pixels are damaged or cut off");
    return;
  }
  if (bitmap.packing != kNone && bitmap.packing != kMasks) return;
  const double needed = static_cast<double>(bitmap.rowBytes()) * static_cast<double>(bitmap.height);
  const std::int64_t fileBytes = sizeOfFile(path, path);
  const auto there = static_cast<double>(fileBytes - bitmap.pixels);
  if (there < needed)
    throw damaged(path, "it is cut off: " + bytesText(there < 0 ? 0 : there) + " of " + bytesText(needed) +
                            " of pixels are there");
  // Some writers count a few bytes too many, or the whole file; a row is a dimension that was changed.
  const double claimed = bitmap.bytes > 0                ? static_cast<double>(bitmap.bytes)
                         : bitmap.fileBytes == fileBytes ? there
                                                         : 0;
  if (claimed > 0 && claimed != static_cast<double>(fileBytes) &&
      std::abs(claimed - needed) >= static_cast<double>(bitmap.rowBytes()))
    throw damaged(path,
                  "its header claims " + bytesText(needed) + " of pixels and says that they are " + bytesText(claimed));
}

}  // namespace sscope::io
