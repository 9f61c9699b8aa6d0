#include "core/io/native/vti_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/io/decoder.h"
#include "core/io/file_error.h"

namespace sscope::io {

namespace {

constexpr std::size_t kLongestVtiHeader = std::size_t{1} << 20;

struct Tag {
  std::string name;  // "/PointData" where it ends
  std::map<std::string, std::string> attributes;

  [[nodiscard]] std::string attribute(const std::string& key, const std::string& otherwise = {}) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? otherwise : found->second;
  }
};

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The tags one after the other, without the text between them.
class Tags {
 public:
  explicit Tags(std::string_view text) : text_(text) {}

  // Empty at the end, or where the text is no XML.
  std::optional<Tag> next() {
    for (;;) {
      at_ = text_.find('<', at_);
      if (at_ == std::string_view::npos) return std::nullopt;
      ++at_;
      if (!text_.substr(at_).starts_with("?") && !text_.substr(at_).starts_with("!")) break;
      const bool comment = text_.substr(at_).starts_with("!--");
      at_ = text_.find(comment ? "-->" : ">", at_);
    }
    Tag tag;
    tag.name = word("/> \t\r\n", 1);
    for (;;) {
      while (at_ < text_.size() && (isSpace(text_[at_]) || text_[at_] == '/')) ++at_;
      if (at_ >= text_.size()) return std::nullopt;
      if (text_[at_] == '>') break;
      const std::string key = word("=> \t\r\n", 0);
      while (at_ < text_.size() && (isSpace(text_[at_]) || text_[at_] == '=')) ++at_;
      if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) return std::nullopt;
      const char quote = text_[at_++];
      const std::size_t end = text_.find(quote, at_);
      if (end == std::string_view::npos) return std::nullopt;
      tag.attributes[key] = std::string(text_.substr(at_, end - at_));
      at_ = end + 1;
    }
    ++at_;
    return tag;
  }
  // Behind the last tag.
  [[nodiscard]] std::size_t position() const { return at_; }

 private:
  // Up to one of `ends`, looked for behind the first `least` characters.
  std::string word(std::string_view ends, std::size_t least) {
    const std::size_t end = std::min(text_.find_first_of(ends, std::min(at_ + least, text_.size())), text_.size());
    std::string found(text_.substr(at_, end - at_));
    at_ = end;
    return found;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

template <std::size_t N>
std::optional<std::array<double, N>> numbersOf(const std::string& text) {
  std::istringstream words(text);
  words.imbue(std::locale::classic());
  std::array<double, N> values{};
  for (double& value : values)
    if (!(words >> value)) return std::nullopt;
  return values;
}

struct VtiHeader {
  Tag file, image;
  std::vector<Tag> pieces, points, cells;  // of the last two, the arrays
  std::string pointScalars, cellScalars;   // names of the arrays that count
  std::size_t data = 0;                    // bytes before the appended ones
};

VtiHeader parse(const std::string& text, const std::string& path) {
  VtiHeader header;
  Tags tags(text);
  std::vector<Tag>* arrays = nullptr;
  while (const auto tag = tags.next()) {
    if (tag->name == "VTKFile") header.file = *tag;
    if (tag->name == "ImageData") header.image = *tag;
    if (tag->name == "Piece") header.pieces.push_back(*tag);
    if (tag->name == "PointData") header.pointScalars = tag->attribute("Scalars");
    if (tag->name == "CellData") header.cellScalars = tag->attribute("Scalars");
    if (tag->name == "PointData") arrays = &header.points;
    if (tag->name == "CellData") arrays = &header.cells;
    if (tag->name == "/PointData" || tag->name == "/CellData") arrays = nullptr;
    if (tag->name == "DataArray" && arrays != nullptr) arrays->push_back(*tag);
    if (tag->name != "AppendedData") continue;
    if (tag->attribute("encoding") != "raw") throw notBySlabs(path, "its voxels are written as text");
    std::size_t at = tags.position();
    while (at < text.size() && isSpace(text[at])) ++at;
    if (at >= text.size() || text[at] != '_') throw damaged(path, "its appended data do not begin as they should");
    header.data = at + 1;
    return header;
  }
  if (!header.points.empty() || !header.cells.empty())
    throw notBySlabs(path, "its voxels are not appended behind its header");
  throw damaged(path, "its header is not complete");
}

// Which of the arrays is read, as VTK chooses.
const Tag& chosenArray(const std::vector<Tag>& arrays, const std::string& scalars) {
  const auto named = std::find_if(arrays.begin(), arrays.end(), [&](const Tag& array) {
    return !scalars.empty() && array.attribute("Name") == scalars;
  });
  return named == arrays.end() ? arrays.front() : *named;
}

Stored storedType(const std::string& name, const std::string& path) {
  constexpr std::array<std::pair<std::string_view, Stored>, 8> kTypes = {{{"UInt8", Stored::u8},
                                                                          {"Int8", Stored::i8},
                                                                          {"UInt16", Stored::u16},
                                                                          {"Int16", Stored::i16},
                                                                          {"UInt32", Stored::u32},
                                                                          {"Int32", Stored::i32},
                                                                          {"Float32", Stored::f32},
                                                                          {"Float64", Stored::f64}}};
  for (const auto& [known, type] : kTypes)
    if (name == known) return type;
  if (name == "Int64" || name == "UInt64")
    throw cannotRead(ErrorKind::Unsupported, path, "its voxels are 64-bit integers",
                     "save them as 32-bit integers or as floating point");
  throw damaged(path, "its voxels are of the unknown type \"" + name + "\"");
}

Geometry geometryOf(const Tag& image, const std::array<double, 6>& extent) {
  Geometry g;
  g.spacing = numbersOf<3>(image.attribute("Spacing")).value_or(g.spacing);
  g.origin = numbersOf<3>(image.attribute("Origin")).value_or(g.origin);
  g.direction = numbersOf<9>(image.attribute("Direction")).value_or(g.direction);
  // An extent that does not start at zero shifts the first voxel.
  g.origin = g.toPhysical({extent[0], extent[2], extent[4]});
  return g;
}

void takeShape(const Tag& array, std::array<double, 6> extent, bool points, const std::string& path, VolumeInfo& info) {
  double elements = 1;
  std::array<double, 3> size{};
  for (std::size_t a = 0; a < 3; ++a) {
    size[a] = extent[2 * a + 1] - extent[2 * a] + 1;
    if (!points) size[a] = std::max(1.0, size[a] - 1);
    if (!(size[a] >= 1)) throw damaged(path, "its header gives an empty extent");
    elements *= size[a];
  }
  const std::string count = array.attribute("NumberOfComponents", "1");
  int components = 0;
  const auto [end, code] = std::from_chars(count.data(), count.data() + count.size(), components);
  constexpr int kMostComponents = 1 << 24;
  if (code != std::errc() || end != count.data() + count.size() || components < 1 || components > kMostComponents)
    throw damaged(path, "its header gives " + count + " components");
  requireMemory(path, elements * components * 8, 0);
  info.shape = {static_cast<std::int64_t>(size[0]), static_cast<std::int64_t>(size[1]),
                static_cast<std::int64_t>(size[2]), components};
}

// VTK fills up what is missing at the end without a word.
void requireEnd(std::ifstream& file, const std::string& path) {
  constexpr std::streamoff kEnd = 64;
  file.clear();
  file.seekg(0, std::ios::end);
  const auto size = static_cast<std::streamoff>(file.tellg());
  std::string tail(static_cast<std::size_t>(std::min(size, kEnd)), '\0');
  file.seekg(size - static_cast<std::streamoff>(tail.size()));
  file.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  if (tail.find("</VTKFile>") == std::string::npos) throw damaged(path, "it is cut off before its end");
}

// The number of bytes before the voxels themselves.
std::uint64_t blockBytes(std::ifstream& file, std::int64_t offset, std::size_t width, bool swapped,
                         const std::string& path) {
  std::array<std::byte, 8> bytes{};
  file.clear();
  file.seekg(offset);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(width)))
    throw damaged(path, "it is cut off before its end");
  if (swapped) std::reverse(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(width));
  if (width == sizeof(std::uint64_t)) return std::bit_cast<std::uint64_t>(bytes);
  std::uint32_t narrow = 0;
  std::memcpy(&narrow, bytes.data(), sizeof narrow);
  return narrow;
}

}  // namespace

LocatedVolume locateVti(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  requireEnd(file, path);
  std::string text(kLongestVtiHeader, '\0');
  file.seekg(0);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const VtiHeader header = parse(text, path);
  if (header.file.attribute("type") != "ImageData")
    throw cannotRead(ErrorKind::BadData, path, "it is VTK XML but not image data", "export it as image data (.vti)");
  if (!header.file.attribute("compressor").empty()) throw notBySlabs(path, "its voxels are compressed");
  const auto extent = numbersOf<6>(header.image.attribute("WholeExtent"));
  if (!extent) throw damaged(path, "its header gives no extent");
  if (header.pieces.size() != 1 || numbersOf<6>(header.pieces.front().attribute("Extent")) != extent)
    throw notBySlabs(path, "its voxels lie in several pieces");
  const bool points = !header.points.empty();
  const std::vector<Tag>& arrays = points ? header.points : header.cells;
  if (arrays.empty()) throw damaged(path, "its voxels cannot be decoded");
  const Tag& array = chosenArray(arrays, points ? header.pointScalars : header.cellScalars);
  if (array.attribute("format") != "appended") throw notBySlabs(path, "its voxels are not appended behind its header");

  LocatedVolume located;
  VolumeInfo& info = located.info;
  StoredVoxels& voxels = located.voxels;
  takeShape(array, *extent, points, path, info);
  voxels.file = path;
  voxels.type = storedType(array.attribute("type"), path);
  voxels.swapped = (header.file.attribute("byte_order") == "BigEndian") != (std::endian::native == std::endian::big);
  voxels.layout = framesOf(info.shape, info.shape.components);
  voxels.chosen = allOf(info.shape);
  info.type = sameElementType(voxels.type).value();
  info.geometry = geometryOf(header.image, *extent);
  info.format = "VTK XML image";
  if (!points) info.notices.emplace_back("the values belong to cells; each cell is taken as a voxel");
  if (arrays.size() > 1)
    info.notices.push_back("the file holds " + std::to_string(arrays.size()) + " arrays; \"" + array.attribute("Name") +
                           "\" was read");
  repairGeometry(info);

  std::int64_t offset = -1;
  const std::string given = array.attribute("offset");
  const auto [end, code] = std::from_chars(given.data(), given.data() + given.size(), offset);
  constexpr std::int64_t kFarthest = std::int64_t{1} << 60;
  if (code != std::errc() || end != given.data() + given.size() || offset < 0 || offset > kFarthest)
    throw damaged(path, "its header gives an impossible offset for the voxels");
  offset += static_cast<std::int64_t>(header.data);
  const std::size_t width = header.file.attribute("header_type", "UInt32") == "UInt64" ? 8 : 4;
  // Of four bytes, where more than 4 GiB follow, the number is cut; others read such files all the same.
  const auto claimed = static_cast<std::uint64_t>(voxels.bytes());
  const std::uint64_t there = blockBytes(file, offset, width, voxels.swapped, path);
  if (there != (width == sizeof(std::uint64_t) ? claimed : claimed & 0xffffffffU))
    throw damaged(path, "it holds fewer voxels than its header says");
  voxels.offset = offset + static_cast<std::int64_t>(width);
  return located;
}

}  // namespace sscope::io
