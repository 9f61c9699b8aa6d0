#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/base/encoding.h"
#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/text_numbers.h"
#include "core/io/native/vti.h"
#include "core/io/native/xml_tags.h"

namespace sscope::io {

namespace {

class MappedText {
 public:
  explicit MappedText(const InputFile& file)
      : bytes_(static_cast<std::size_t>(file.bytes())),
        start_(::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file.descriptor(), 0)) {
    if (start_ == MAP_FAILED) throw cannotReadErrno(file.path(), errno);
  }
  ~MappedText() { ::munmap(start_, bytes_); }
  MappedText(const MappedText&) = delete;
  MappedText& operator=(const MappedText&) = delete;
  [[nodiscard]] std::string_view text() const { return {static_cast<const char*>(start_), bytes_}; }

 private:
  std::size_t bytes_;
  void* start_;
};

// Base64 up to its end or to `most` bytes, in groups of four characters. Padded groups may be in the middle: VTK
// encodes the words before the data separately.
struct Unpacked {
  bool good = true;
  std::uint64_t bytes = 0;
  std::vector<std::byte> head;  // the first `keep` of them
  bool broken = false;          // into lines
};

Unpacked unpack(std::string_view text, std::size_t keep, std::uint64_t most) {
  Unpacked result;
  std::array<int, 4> group{};
  std::size_t filled = 0, padding = 0, brokenAt = 0;
  for (std::size_t at = 0; at < text.size() && result.bytes < most; ++at) {
    if (isXmlSpace(text[at])) {
      if (result.bytes > 0 || filled > 0) brokenAt = at;
      continue;
    }
    result.broken = result.broken || brokenAt > 0;
    const bool pads = text[at] == '=' && filled >= 2;
    group[filled] = pads ? 0 : base64Bits(text[at]);
    if (group[filled] < 0 || (padding > 0 && !pads)) return result.good = false, result;
    padding += pads ? 1 : 0;
    if (++filled < group.size()) continue;
    const int bits = group[0] << 18 | group[1] << 12 | group[2] << 6 | group[3];
    for (std::size_t i = 0; i < 3 - padding; ++i, ++result.bytes)
      if (result.head.size() < keep) result.head.push_back(static_cast<std::byte>(bits >> (16 - 8 * i)));
    filled = padding = 0;
  }
  result.good = filled == 0;
  return result;
}

struct Promise {
  Stored type = Stored::u8;
  std::uint64_t numbers = 0;
  [[nodiscard]] std::uint64_t bytes() const { return numbers * bytesOf(type); }
};

struct Appended {
  std::uint64_t offset = 0;
  Promise promise;
};

class Check {
 public:
  explicit Check(const InputFile& file) : path_(file.path()), file_(file), text_(file_.text()), tags_(text_) {}

  void run() {
    constexpr std::size_t kEnd = 64;
    if (text_.substr(text_.size() - std::min(kEnd, text_.size())).find("</VTKFile>") == std::string_view::npos)
      throw damaged(path_, "it is cut off before its end");
    // VTK's parser recurses into each level.
    constexpr int kDeepest = 100;
    int depth = 0;
    while (const auto tag = tags_.next()) {
      if (!tag->closed) depth += tag->name.starts_with('/') ? -1 : 1;
      if (depth > kDeepest) throw damaged(path_, "its XML is nested deeper than that of any image");
      if (tag->name == "VTKFile") takeFile(*tag);
      if (!isImage_) return;
      if (tag->name == "ImageData") whole_ = extentOf(*tag, "WholeExtent");
      if (tag->name == "Piece") takePiece(*tag);
      if (tag->name == "PointData" || tag->name == "CellData") tuples_ = tag->name == "CellData" ? cells_ : points_;
      if (tag->name == "/PointData" || tag->name == "/CellData") tuples_ = 0;
      if (tag->name == "DataArray" && tuples_ > 0) takeArray(*tag);
      if (tag->name == "AppendedData") return checkAppended(tag->attribute("encoding"));
    }
    if (!appended_.empty()) throw damaged(path_, "it is cut off before its voxels");
    requireCovered();
  }

 private:
  using Extent = std::array<double, 6>;
  [[nodiscard]] Error tooFew() const { return damaged(path_, "it holds fewer voxels than its header states"); }

  void takeFile(const Tag& tag) {
    isImage_ = tag.attribute("type") == "ImageData";
    width_ = tag.attribute("header_type", "UInt32") == "UInt64" ? 8 : 4;
    swapped_ = (tag.attribute("byte_order") == "BigEndian") != (std::endian::native == std::endian::big);
    packed_ = !tag.attribute("compressor").empty();
  }

  Extent extentOf(const Tag& tag, const char* key) const {
    const std::string text = tag.attribute(key);
    Extent extent{};
    const char* at = text.data();
    for (double& value : extent) {
      int number = 0;
      while (at < text.data() + text.size() && isXmlSpace(*at)) ++at;
      const auto [end, code] = std::from_chars(at, text.data() + text.size(), number);
      if (code != std::errc()) throw damaged(path_, "its header gives the extent \"" + text + "\"");
      value = number;
      at = end;
    }
    for (std::size_t a = 0; a < 3; ++a)
      if (extent[2 * a + 1] < extent[2 * a]) throw damaged(path_, "its header gives the empty extent \"" + text + "\"");
    requireMemory(path_, countOf(extent, false), 0);
    return extent;
  }

  static double countOf(const Extent& extent, bool cells) {
    double count = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      const double points = extent[2 * a + 1] - extent[2 * a] + 1;
      count *= cells ? std::max(1.0, points - 1) : points;
    }
    return count;
  }

  void takePiece(const Tag& tag) {
    const Extent extent = extentOf(tag, "Extent");
    points_ = countOf(extent, false);
    cells_ = countOf(extent, true);
    covered_ += cells_;
  }

  void requireCovered() const {
    if (covered_ < countOf(whole_, true)) throw damaged(path_, "its pieces do not fill its extent");
  }

  // The value of `offset` or `NumberOfComponents`.
  std::uint64_t numberIn(const Tag& tag, const char* key, const std::string& otherwise) const {
    const std::string text = tag.attribute(key, otherwise);
    constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
    std::uint64_t number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || end != text.data() + text.size() || number > kMost)
      throw damaged(path_, "its header gives " + std::string(key) + " as \"" + text + "\"");
    return number;
  }

  void takeArray(const Tag& tag) {
    Promise promise;
    const auto type = vtiType(tag.attribute("type"));
    if (!type) return;  // its reader reports that
    promise.type = *type;
    const double numbers = tuples_ * static_cast<double>(numberIn(tag, "NumberOfComponents", "1"));
    requireMemory(path_, numbers * 8, 0);
    promise.numbers = static_cast<std::uint64_t>(numbers);
    const std::string format = tag.attribute("format");
    if (format == "appended") {
      appended_.push_back({numberIn(tag, "offset", "?"), promise});
      return;
    }
    const std::size_t begin = tags_.position();
    if (format == "binary") {
      const std::string_view inside = text_.substr(begin, std::min(text_.find('<', begin), text_.size()) - begin);
      return checkBase64(inside, promise, true);
    }
    TextNumbers text(path_, path_, static_cast<std::int64_t>(begin), "<", promise.numbers);
    text.check(promise.type);
    text.requireEnd();
  }

  std::uint64_t wordAt(std::span<const std::byte> bytes, std::size_t n) const {
    std::array<std::byte, 8> one{};
    if ((n + 1) * width_ > bytes.size()) throw tooFew();
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(n * width_), width_, one.begin());
    if (swapped_) std::reverse(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(width_));
    std::uint64_t value = 0;
    for (std::size_t i = width_; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(one[i]);
    return value;
  }

  // The number of words before the data, which begin with `head`: one, the length; before packed data the number of
  // blocks, the bytes of each and of the last one, and the packed bytes of each.
  std::uint64_t wordsBefore(std::span<const std::byte> head) const {
    if (!packed_) return 1;
    const std::uint64_t blocks = wordAt(head, 0);
    if (blocks > text_.size() / width_) throw tooFew();
    return 3 + blocks;
  }

  // The size of an array in the file with these words, after a comparison with the promise.
  std::uint64_t bytesOfArray(std::span<const std::byte> head, const Promise& promise) const {
    // A number of four bytes is cut where more than 4 GiB follow; other programs read such files all the same.
    if (!packed_) {
      const std::uint64_t most = width_ == 8 ? UINT64_MAX : UINT32_MAX;
      if (wordAt(head, 0) != (promise.bytes() & most)) throw tooFew();
      return width_ + promise.bytes();
    }
    const std::uint64_t blocks = wordAt(head, 0), each = wordAt(head, 1), last = wordAt(head, 2);
    const double bytes =
        static_cast<double>(last > 0 ? blocks - 1 : blocks) * static_cast<double>(each) + static_cast<double>(last);
    if (blocks == 0 || bytes != static_cast<double>(promise.bytes())) throw tooFew();
    std::uint64_t all = (3 + blocks) * width_;
    for (std::size_t b = 0; b < blocks; ++b) all += std::min<std::uint64_t>(wordAt(head, 3 + b), text_.size());
    return all;
  }

  // `alone`: nothing else may follow in the text.
  void checkBase64(std::string_view text, const Promise& promise, bool alone) const {
    const std::size_t first = (packed_ ? 3 : 1) * width_;
    const std::size_t before = static_cast<std::size_t>(wordsBefore(unpack(text, first, first).head)) * width_;
    const std::uint64_t needed = bytesOfArray(unpack(text, before, before).head, promise);
    const Unpacked all = unpack(text, 0, alone ? UINT64_MAX : needed);
    if (!all.good) throw damaged(path_, "its voxels are no base64 throughout");
    if (all.broken)  // which VTK's reader does not put together
      throw cannotRead(ErrorKind::Unsupported, path_, "its base64 is broken into lines",
                       "save it with appended raw data");
    if (all.bytes != needed) throw tooFew();
  }

  void checkAppended(const std::string& encoding) const {
    std::size_t begin = tags_.position();
    while (begin < text_.size() && isXmlSpace(text_[begin])) ++begin;
    if (begin >= text_.size() || text_[begin] != '_')
      throw damaged(path_, "its appended data do not begin as they should");
    const bool ownLine = text_.substr(tags_.position(), begin - tags_.position()).find('\n') != std::string_view::npos;
    ++begin;
    const std::size_t end = text_.rfind("</AppendedData>");
    if (end == std::string_view::npos || end < begin) throw damaged(path_, "it is cut off before its end");
    std::string_view data = text_.substr(begin, end - begin);
    // Data that begin on a line of their own end on one, too: where the line of the closing tag begins, so that data
    // that reach into it lack as many bytes. Else the last line feed is a byte of the data.
    if (const std::size_t last = data.find_last_not_of(" \t");
        ownLine && last != std::string_view::npos && data[last] == '\n')
      data.remove_suffix(data.size() - last);
    for (const auto& [offset, promise] : appended_) {
      if (offset >= data.size()) throw tooFew();
      const std::string_view from = data.substr(offset);
      if (encoding == "base64") {
        checkBase64(from, promise, false);
        continue;
      }
      const auto bytes = std::as_bytes(std::span(from));
      if (bytesOfArray(bytes, promise) > bytes.size()) throw tooFew();
    }
    requireCovered();
  }

  const std::string& path_;
  MappedText file_;
  std::string_view text_;
  Tags tags_;
  bool isImage_ = true, swapped_ = false, packed_ = false;
  std::size_t width_ = 4;
  Extent whole_{};
  double points_ = 0, cells_ = 0, covered_ = 0, tuples_ = 0;  // of the piece; of pieces so far; of an array, 0: none
  std::vector<Appended> appended_;
};

}  // namespace

void requireVtiArrays(const InputFile& file) { Check(file).run(); }

}  // namespace sscope::io
