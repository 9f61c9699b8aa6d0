#include "core/io/itk/dicom_extent.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {

constexpr std::uint32_t kUndefined = 0xffffffff;
constexpr std::uint32_t kItem = 0xfffee000, kItemEnd = 0xfffee00d, kSequenceEnd = 0xfffee0dd, kPixels = 0x7fe00010;
constexpr int kDeepest = 32;

struct Element {
  std::uint32_t tag = 0, length = 0;
  std::array<char, 2> type{};
};

// What of the picture decides how many bytes it takes.
struct Picture {
  double rows = 0, columns = 0, samples = 1, frames = 1, bits = 0;
  bool subsampled = false;  // colors at half the resolution
  [[nodiscard]] double bytes() const { return rows * columns * (subsampled ? 2 : samples) * frames * bits / 8; }
};

class Walker {
 public:
  explicit Walker(const std::string& path) : path_(path), file_(path, std::ios::binary | std::ios::ate) {
    if (!file_) throw cannotReadErrno(path, errno);
    size_ = static_cast<std::int64_t>(file_.tellg());
    file_.seekg(0);
  }

  void run() {
    if (!begin()) return;
    while (const auto element = next()) {
      if (element->tag == kPixels) return checkPixels(*element);
      if (element->length == kUndefined) {
        if (!skipSequence(0)) return;
      } else {
        take(*element);
      }
    }
  }

 private:
  // Behind the preamble stand the elements of group 2, always explicit and little-endian; they name the syntax of the
  // rest. False where it cannot be followed.
  bool begin() {
    std::array<char, 132> head{};
    const bool preamble = read(head.data(), head.size()) && std::string_view(head.data() + 128, 4) == "DICM";
    file_.clear();
    file_.seekg(preamble ? 132 : 0);
    std::string syntax;
    for (;;) {
      const auto at = file_.tellg();
      const auto element = next();
      if (!element) return false;
      if (element->tag >> 16 != 2) {
        file_.seekg(at);
        break;
      }
      const std::string value = text(*element);
      if (element->tag == 0x00020010) syntax = value.substr(0, value.find('\0'));
    }
    if (syntax == "1.2.840.10008.1.2.1.99") return false;  // deflated
    bigEndian_ = syntax == "1.2.840.10008.1.2.2";
    if (!syntax.empty()) return explicit_ = syntax != "1.2.840.10008.1.2", true;
    // Without these elements the first one shows whether it has letters for its type.
    const auto at = file_.tellg();
    std::array<char, 8> first{};
    if (!read(first.data(), first.size())) return false;
    explicit_ = first[4] >= 'A' && first[4] <= 'Z' && first[5] >= 'A' && first[5] <= 'Z';
    file_.seekg(at);
    return true;
  }

  bool read(char* out, std::size_t size) {
    return static_cast<bool>(file_.read(out, static_cast<std::streamsize>(size)));
  }

  std::optional<std::uint32_t> number(std::size_t bytes) {
    std::array<unsigned char, 4> raw{};
    if (!read(reinterpret_cast<char*>(raw.data()), bytes)) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= std::uint32_t{raw[i]} << (8 * (bigEndian_ ? bytes - 1 - i : i));
    return value;
  }

  std::optional<Element> next() {
    const auto group = number(2), rest = number(2);
    if (!group || !rest) return std::nullopt;
    Element element;
    element.tag = *group << 16 | *rest;
    std::optional<std::uint32_t> length;
    // Items have no type in any syntax.
    if (!explicit_ || *group == 0xfffe) {
      length = number(4);
    } else {
      if (!read(element.type.data(), 2)) return std::nullopt;
      const std::string_view type(element.type.data(), 2);
      constexpr std::string_view kLong = "OB OD OF OL OV OW SQ SV UC UN UR UT UV";
      const bool isLong = kLong.find(type) != std::string_view::npos;
      if (isLong && !number(2)) return std::nullopt;
      length = number(isLong ? 4 : 2);
    }
    if (!length) return std::nullopt;
    element.length = *length;
    return element;
  }

  std::string text(const Element& element) {
    constexpr std::uint32_t kLongest = 1024;
    std::string value(std::min(element.length, kLongest), '\0');
    if (!read(value.data(), value.size())) value.clear();
    skip(element.length - static_cast<std::uint32_t>(value.size()));
    return value;
  }

  void skip(std::int64_t bytes) { file_.seekg(bytes, std::ios::cur); }
  [[nodiscard]] std::int64_t left() { return size_ - static_cast<std::int64_t>(file_.tellg()); }

  void take(const Element& element) {
    const auto whole = [&](double& field) {
      if (element.length != 2) return skip(element.length);
      if (const auto value = number(2)) field = *value;
    };
    switch (element.tag) {
      case 0x00280002: return whole(picture_.samples);
      case 0x00280010: return whole(picture_.rows);
      case 0x00280011: return whole(picture_.columns);
      case 0x00280100: return whole(picture_.bits);
      case 0x00280008: picture_.frames = std::max(1.0, std::strtod(text(element).c_str(), nullptr)); return;
      case 0x00280004: picture_.subsampled = text(element).find("_422") != std::string::npos; return;
      default: skip(element.length);
    }
  }

  // Up to the end of a sequence, or of an item, of unknown length.
  bool skipSequence(int depth) {
    while (const auto element = next()) {
      if (element->tag == kSequenceEnd || element->tag == kItemEnd) return true;
      if (element->length != kUndefined) {
        skip(element->length);
      } else if (depth >= kDeepest || !skipSequence(depth + 1)) {
        return false;
      }
    }
    return false;
  }

  [[noreturn]] void cutOff(double there, double needed) const {
    throw damaged(path_, "it is cut off: " + bytesText(there) + " of " + bytesText(needed) + " of pixels are there, " +
                             bytesText(needed - there) + " are missing");
  }

  void checkPixels(const Element& element) {
    if (element.length == kUndefined) return checkPieces();
    const auto there = static_cast<double>(std::min<std::int64_t>(left(), element.length));
    const double needed = std::max(static_cast<double>(element.length), picture_.bytes());
    // Behind an odd number of bytes the padding may be lost.
    if (there < picture_.bytes() || there + 1 < needed) cutOff(there, needed);
  }

  // Compressed pixels: items, the first of them an index, up to the end of the sequence.
  void checkPieces() {
    std::array<unsigned char, 4> tail{};
    std::size_t count = 0;
    while (const auto item = next()) {
      if (item->tag == kSequenceEnd) return;
      if (item->tag != kItem) return;
      if (left() < static_cast<std::int64_t>(item->length))
        throw damaged(path_, "it is cut off: " +
                                 bytesText(static_cast<double>(item->length) -
                                           static_cast<double>(std::max<std::int64_t>(0, left()))) +
                                 " of a compressed piece of its pixels are missing");
      ++count;
      const auto length = static_cast<std::int64_t>(item->length);
      const auto ending = std::min<std::int64_t>(length, 4);
      skip(length - ending);
      tail.fill(0);
      if (!read(reinterpret_cast<char*>(tail.data()), static_cast<std::size_t>(ending))) return;
    }
    // Some writers forget the end of the sequence. A last piece that ends as JPEG's do, in the last frame, is the end.
    bool ends = false;
    for (std::size_t i = 0; i + 1 < tail.size(); ++i) ends = ends || (tail[i] == 0xff && tail[i + 1] == 0xd9);
    if (!ends || static_cast<double>(count) - 1 < picture_.frames)
      throw damaged(path_, "it is cut off: its compressed pixels end early");
  }

  const std::string& path_;
  std::ifstream file_;
  std::int64_t size_ = 0;
  bool explicit_ = true, bigEndian_ = false;
  Picture picture_;
};

}  // namespace

void requireDicomPixels(const std::string& path) { Walker(path).run(); }

}  // namespace sscope::io
