#include "core/io/native/bmp.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {

enum : std::uint32_t { kPlain = 0, kRuns = 1, kMasks = 3, kAlphaMasks = 6 };
constexpr std::size_t kFileHeader = 14, kOldHeader = 12, kHeader = 40;
constexpr std::int64_t kPalette = 8;  // bits at most

struct Bitmap {
  std::int64_t pixels = 0, width = 0, height = 0, bits = 0;  // `pixels`: their offset in the file
  std::int64_t bytes = 0, fileBytes = 0;  // sizes of the pixels and the file in the header; 0: not given
  std::uint32_t packing = kPlain;
  bool downward = false;                             // the first row is the upper one
  std::array<std::uint32_t, 4> masks{};              // red, green, blue, alpha
  std::vector<std::array<std::uint8_t, 3>> palette;  // red, green, blue

  [[nodiscard]] std::int64_t rowBytes() const { return (width * bits + 31) / 32 * 4; }
  [[nodiscard]] bool gray() const {
    return bits <= kPalette &&
           std::all_of(palette.begin(), palette.end(), [](const auto& c) { return c[0] == c[1] && c[1] == c[2]; });
  }
  [[nodiscard]] int components() const { return gray() ? 1 : masks[3] != 0 ? 4 : 3; }
};

Bitmap parseBmp(const InputFile& input) {
  const std::string& path = input.path();
  InputStream file(input);
  std::vector<unsigned char> head(kFileHeader + 124 + 16);
  file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
  const auto there = static_cast<std::size_t>(file.gcount());
  const auto number = [&](std::size_t at, std::size_t count) {
    std::uint32_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | head[at + i];
    return value;
  };
  const std::size_t size = there >= kFileHeader + kOldHeader ? number(kFileHeader, 4) : 0;
  const bool old = size == kOldHeader;
  if ((!old && size < kHeader) || size > 124 || there < kFileHeader + size)
    throw damaged(path, "it is cut off, or its header is of an unknown kind");
  Bitmap b;
  b.fileBytes = number(2, 4);
  b.pixels = number(10, 4);
  const auto height = old ? static_cast<std::int32_t>(number(20, 2)) : static_cast<std::int32_t>(number(22, 4));
  b.width = old ? static_cast<std::int32_t>(number(18, 2)) : static_cast<std::int32_t>(number(18, 4));
  b.height = std::abs(static_cast<std::int64_t>(height));
  b.downward = height < 0;
  b.bits = number(old ? 24 : 28, 2);
  b.packing = old ? kPlain : number(30, 4);
  b.bytes = old ? 0 : number(34, 4);
  constexpr std::array<std::int64_t, 6> kBits = {1, 4, 8, 16, 24, 32};
  const bool known = std::find(kBits.begin(), kBits.end(), b.bits) != kBits.end();
  const bool packed = b.packing == kRuns && b.bits == 8;
  const bool masked = (b.packing == kMasks || b.packing == kAlphaMasks) && (b.bits == 16 || b.bits == 32);
  if (b.width < 1 || b.height < 1 || !known) throw damaged(path, "its header gives no picture");
  if (b.packing != kPlain && !packed && !masked)
    throw cannotRead(ErrorKind::Unsupported, path, "its pixels are packed in a way that is not supported",
                     "save it as PNG");
  const std::size_t maskCount = b.packing == kAlphaMasks || size >= 56 ? 4 : 3;
  const std::size_t masksAt = kFileHeader + kHeader;
  if (masked)
    for (std::size_t m = 0; m < maskCount && masksAt + 4 * m + 4 <= there; ++m) b.masks[m] = number(masksAt + 4 * m, 4);
  if (b.bits == 16 && !masked) b.masks = {0x7c00, 0x03e0, 0x001f, 0};
  if (b.bits == 32 && !masked) b.masks = {0xff0000, 0xff00, 0xff, 0};
  if (b.bits > kPalette) return b;
  const std::uint32_t used = old ? 0 : number(46, 4), most = 1U << b.bits;
  const std::size_t each = old ? 3 : 4;
  std::vector<unsigned char> colors(each * (used == 0 ? most : std::min(used, most)));
  file.clear();
  file.seekg(static_cast<std::streamoff>(kFileHeader + size));
  if (!file.read(reinterpret_cast<char*>(colors.data()), static_cast<std::streamsize>(colors.size())))
    throw damaged(path, "it is cut off inside its palette");
  for (std::size_t c = 0; c < colors.size(); c += each) b.palette.push_back({colors[c + 2], colors[c + 1], colors[c]});
  return b;
}

// Some writers count a few bytes too many, or the whole file; a difference of a row means a changed dimension.
void requireRows(const Bitmap& b, const InputFile& input) {
  const std::string& path = input.path();
  const double needed = static_cast<double>(b.rowBytes()) * static_cast<double>(b.height);
  const std::int64_t fileBytes = input.bytes();
  const auto there = static_cast<double>(fileBytes - b.pixels);
  if (there < needed)
    throw damaged(path, "it is cut off: " + bytesText(there < 0 ? 0 : there) + " of " + bytesText(needed) +
                            " of pixels are there");
  const double claimed = b.bytes > 0 ? static_cast<double>(b.bytes) : b.fileBytes == fileBytes ? there : 0;
  if (claimed > 0 && claimed != static_cast<double>(fileBytes) &&
      std::abs(claimed - needed) >= static_cast<double>(b.rowBytes()))
    throw damaged(
        path, "its header claims " + bytesText(needed) + " of pixels and states that they are " + bytesText(claimed));
}

// Runs of one byte a pixel: (count, value), or (0, kind of what follows); some writers omit the mark of the end. Skipped
// pixels have the first color.
std::vector<unsigned char> unpackRuns(std::istream& file, const Bitmap& b, const std::string& path) {
  enum : int { kEndOfLine, kEnd, kMove };
  std::vector<unsigned char> rows(static_cast<std::size_t>(b.rowBytes() * b.height), 0);
  std::int64_t column = 0, line = 0;
  const auto bad = [&] { return damaged(path, "its packed pixels are damaged or cut off"); };
  const auto put = [&](int value) {
    if (column >= b.width || line >= b.height) throw bad();
    rows[static_cast<std::size_t>(line * b.rowBytes() + column++)] = static_cast<unsigned char>(value);
  };
  for (;;) {
    const int count = file.get(), value = file.get();
    if (count == EOF && (line == b.height || (line + 1 == b.height && column == b.width))) return rows;
    if (value == EOF) throw bad();
    if (count > 0) {
      for (int n = 0; n < count; ++n) put(value);
    } else if (value == kEnd) {
      return rows;
    } else if (value == kEndOfLine) {
      column = 0;
      ++line;
    } else if (value == kMove) {
      column += file.get();
      line += file.get();
    } else {
      for (int n = 0; n < value; ++n) put(file.get());
      if (value % 2 != 0) file.get();
    }
    if (!file || column > b.width || line > b.height) throw bad();
  }
}

std::uint8_t masked(std::uint32_t pixel, std::uint32_t mask) {
  if (mask == 0) return 0;
  const std::uint64_t most = mask >> std::countr_zero(mask), value = (pixel & mask) >> std::countr_zero(mask);
  return static_cast<std::uint8_t>((value * 255 + most / 2) / most);
}

// Unpacked rows, the lowest first unless the picture is stored downward.
class BmpRows {
 public:
  BmpRows(const InputFile& input, const Bitmap& b) : b_(b), file_(input), row_(static_cast<std::size_t>(b.rowBytes())) {
    file_.seekg(b.pixels);
    if (b.packing == kRuns) runs_ = unpackRuns(file_, b, input.path());
  }
  const std::vector<unsigned char>& next() {
    if (runs_.empty()) {
      file_.read(reinterpret_cast<char*>(row_.data()), static_cast<std::streamsize>(row_.size()));
    } else {
      std::copy_n(runs_.begin() + static_cast<std::ptrdiff_t>(y_++ * b_.rowBytes()), row_.size(), row_.begin());
    }
    return row_;
  }

 private:
  const Bitmap& b_;
  InputStream file_;
  std::vector<unsigned char> row_, runs_;
  std::int64_t y_ = 0;
};

void decodeRow(const Bitmap& b, const std::vector<unsigned char>& row, std::uint8_t* to, const std::string& path) {
  const auto width = static_cast<std::size_t>(b.width), components = static_cast<std::size_t>(b.components());
  for (std::size_t x = 0; x < width; ++x, to += components) {
    if (b.bits <= kPalette) {
      const auto bits = static_cast<std::size_t>(b.bits), at = x * bits;
      const std::size_t index = row[at / 8] >> (8 - bits - at % 8) & ((1U << bits) - 1);
      if (index >= b.palette.size()) throw damaged(path, "a pixel has a color that its palette does not have");
      std::copy_n(b.palette[index].begin(), components, to);
    } else if (b.bits == 24) {
      for (std::size_t c = 0; c < 3; ++c) to[c] = row[3 * x + 2 - c];
    } else {
      std::uint32_t pixel = 0;
      const auto bytes = static_cast<std::size_t>(b.bits / 8);
      for (std::size_t i = bytes; i-- > 0;) pixel = pixel << 8 | row[bytes * x + i];
      for (std::size_t c = 0; c < components; ++c) to[c] = masked(pixel, b.masks[c]);
    }
  }
}

}  // namespace

LocatedVolume locateBmp(const InputPointer& input) {
  const std::string path = input->path();
  const Bitmap b = parseBmp(*input);
  VolumeInfo info;
  info.shape = {b.width, b.height, 1, b.components()};
  info.type = ElementType::u8;
  info.geometry.unit = "";
  info.metadata.inSpace = false;
  info.geometry.steps.fill(StepSource::Assumed);
  info.format = "BMP";
  requireMemory(path, claimedBytes(info), 0);
  if (b.packing == kRuns) {
    requireMemory(path, static_cast<double>(b.rowBytes()) * static_cast<double>(b.height), 0);
    if (b.width * b.height > 256 * input->bytes()) throw damaged(path, "it claims more pixels than it can hold");
  } else {
    requireRows(b, *input);
  }
  const auto decode = [input, b, path](std::int64_t, std::int64_t, std::span<std::byte> out, const Control& control) {
    BmpRows rows(*input, b);
    const std::int64_t rowValues = b.width * b.components();
    for (std::int64_t y = 0; y < b.height; ++y) {
      control.check();
      decodeRow(b, rows.next(),
                reinterpret_cast<std::uint8_t*>(out.data()) + (b.downward ? y : b.height - 1 - y) * rowValues, path);
    }
  };
  LocatedVolume located = decodedVolume(path, std::move(info), Stored::u8, decode);
  located.onlyWhole = "BMP files are read as a whole";
  return located;
}

}  // namespace sscope::io
