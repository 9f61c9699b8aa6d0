#include "core/io/native/vtk_read.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/io/base/chunked_file.h"
#include "core/io/base/convert.h"
#include "core/io/base/file_error.h"
#include "core/io/base/text_numbers.h"
#include "core/io/base/trimmed.h"
#include "core/io/native/vti_header.h"

namespace sscope::io {

namespace {

constexpr std::size_t kInTensor = 9;
// Row by row, what is above the diagonal.
constexpr std::array<std::size_t, 6> kOfTensor = {0, 1, 2, 4, 5, 8};

struct VtkArray {
  std::string name;
  Stored type = Stored::u8;
  std::int64_t numbers = 1;  // of each voxel in the file
  std::int64_t start = 0;    // of the first byte
  bool tensors = false, cells = false;
};

std::optional<Stored> vtkType(const std::string& word) {
  static const std::map<std::string, Stored> kTypes = {
      {"unsigned_char", Stored::u8}, {"char", Stored::i8},       {"unsigned_short", Stored::u16},
      {"short", Stored::i16},        {"int", Stored::i32},       {"unsigned_int", Stored::u32},
      {"long", Stored::i64},         {"float", Stored::f32},     {"unsigned_long", Stored::u64},
      {"vtktypeint64", Stored::i64}, {"double", Stored::f64},    {"vtktypeuint64", Stored::u64},
      {"vtkidtype", Stored::i32},    {"signed_char", Stored::i8}};
  const auto found = kTypes.find(lowerCased(word));
  return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

class VtkParser {
 public:
  explicit VtkParser(const std::string& path)
      : path_(path), bytes_(sizeOfFile(path, path)), file_(path, std::ios::binary) {}

  void run() {
    std::string line;
    std::getline(file_, line);
    std::getline(file_, line);  // a title
    next();
    text = is("ascii");
    next();
    if (words_.size() < 2 || !is("dataset") || lowerCased(words_[1]) != "structured_points")
      throw cannotRead(ErrorKind::Unsupported, path_, "it holds no structured points",
                       "save it as .vti, with ParaView for example");
    while (next()) part();
    for (const double extent : size)
      if (!(extent >= 1)) throw damaged(path_, "its header gives no DIMENSIONS");
  }

  bool text = false;
  std::array<double, 3> size{};
  Geometry geometry;
  std::vector<VtkArray> arrays;

 private:
  // The words of the next line that is not empty. Lines of numbers are told by their first word.
  bool next() {
    constexpr std::size_t kLongest = 4096;
    std::string line;
    words_.clear();
    while (words_.empty() && std::getline(file_, line)) words_ = wordsIn(line.substr(0, kLongest));
    return !words_.empty();
  }
  [[nodiscard]] bool is(const char* word) const { return !words_.empty() && lowerCased(words_[0]) == word; }
  [[nodiscard]] std::int64_t place() {
    const auto at = static_cast<std::int64_t>(file_.tellg());
    return at < 0 ? bytes_ : at;
  }
  void goTo(std::int64_t place) {
    file_.clear();
    file_.seekg(place);
  }
  [[nodiscard]] double numberAt(std::size_t n) const {
    double value = 0;
    if (n < words_.size()) std::from_chars(words_[n].data(), words_[n].data() + words_[n].size(), value);
    return value;
  }
  void take(std::array<double, 3>& values) const {
    for (std::size_t a = 0; a < 3; ++a) values[a] = numberAt(a + 1);
  }

  void part() {
    if (is("dimensions")) return take(size);
    if (is("origin")) return take(geometry.origin);
    if (is("spacing") || is("aspect_ratio")) return take(geometry.spacing);
    if (is("point_data") || is("cell_data")) {
      cells_ = is("cell_data");
      inData_ = true;
    } else if (is("metadata")) {
      skipMetadata();
    } else if (is("field")) {
      fields(numberAt(2));
    } else if (inData_ && words_.size() >= 2) {
      attribute();
    }
  }

  [[nodiscard]] double tuples() const {
    double count = 1;
    for (const double extent : size) count *= cells_ ? std::max(1.0, extent - 1) : extent;
    return count;
  }

  // Up to an empty line.
  void skipMetadata() {
    for (std::string line; std::getline(file_, line) && !trimmed(line).empty();) {
    }
  }

  void fields(double count) {
    for (double n = 0; n < count && next() && (words_.size() >= 4 || is("metadata")); ++n) {
      if (is("metadata")) {
        --n;
        skipMetadata();
        continue;
      }
      const double numbers = numberAt(1), many = numberAt(2);
      // Those of the whole file are one number or a few.
      array(words_[0], words_[3], numbers, many, inData_ && many == tuples());
    }
  }

  void attribute() {
    const std::string name = words_[1], type = words_.size() > 2 ? words_[2] : std::string();
    if (is("scalars")) {
      const double numbers = words_.size() > 3 ? numberAt(3) : 1;
      const std::int64_t here = place();
      if (!next() || !is("lookup_table")) goTo(here);
      array(name, type, numbers, tuples(), true);
    } else if (is("color_scalars")) {
      array(name, text ? "float" : "unsigned_char", numberAt(2), tuples(), true);
    } else if (is("vectors") || is("normals")) {
      array(name, type, 3, tuples(), true);
    } else if (is("tensors")) {
      array(name, type, kInTensor, tuples(), true);
      if (!arrays.empty() && arrays.back().name == name) arrays.back().tensors = true;
    }
  }

  // Its values, which begin here, are left behind.
  void array(const std::string& name, const std::string& word, double numbers, double many, bool wanted) {
    const auto type = vtkType(word);
    if (!type && wanted)
      throw cannotRead(ErrorKind::Unsupported, path_, "its values are of the type \"" + printable(word) + "\"",
                       "save it as .vti, with ParaView for example");
    if (!(numbers >= 1 && numbers <= 1 << 24) || !(many >= 0 && many <= 0x1p50))
      throw damaged(path_, "its header gives a senseless number of values");
    const std::int64_t start = place();
    if (wanted) arrays.push_back({name, *type, static_cast<std::int64_t>(numbers), start, false, cells_});
    if (text) {
      std::string skipped;
      for (double n = 0; n < numbers * many && file_ >> skipped; ++n) {
      }
    } else if (type) {
      const double behind = static_cast<double>(start) + numbers * many * static_cast<double>(bytesOf(*type));
      goTo(behind < static_cast<double>(bytes_) ? static_cast<std::int64_t>(behind) : bytes_);
    }
  }

  const std::string& path_;
  std::int64_t bytes_;
  std::ifstream file_;
  std::vector<std::string> words_;
  bool cells_ = false, inData_ = false;
};

// All numbers of an array as the file has them.
void readNumbers(const std::string& path, const VtkArray& array, bool text, std::span<std::byte> out,
                 const Control& control) {
  if (text) {
    TextNumbers words(path, path, array.start);
    words.read(array.type, out, control);
    return words.requireEnd();
  }
  readChunked(path, path, array.start, out, control);
  if (std::endian::native == std::endian::little) swapBytes(out, bytesOf(array.type), control);
}

}  // namespace

VolumeInfo readVtk(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  VtkParser parser(path);
  parser.run();
  if (parser.arrays.empty()) throw damaged(path, "it is cut off: it ends before its voxels begin");
  auto& arrays = parser.arrays;
  const auto found = std::find_if(arrays.begin(), arrays.end(), [](const VtkArray& a) { return !a.cells; });
  const VtkArray array = found == arrays.end() ? arrays.front() : *found;
  VolumeInfo info;
  std::array<double, 6> extent{};
  double voxels = 1;
  std::array<std::int64_t, 3> size{};
  for (std::size_t a = 0; a < 3; ++a) {
    extent[2 * a + 1] = parser.size[a] - 1;
    const double along = array.cells ? std::max(1.0, parser.size[a] - 1) : parser.size[a];
    voxels *= along;
    size[a] = static_cast<std::int64_t>(std::min(along, 0x1p40));
  }
  const double numbers = voxels * static_cast<double>(array.numbers);
  const double needed = numbers * static_cast<double>(bytesOf(array.type));
  requireMemory(path, needed, 0);
  if (const auto there = static_cast<double>(sizeOfFile(path, path) - array.start); !parser.text && there < needed)
    throw damaged(path, "it is cut off: " + bytesText(std::max(0.0, there)) + " of " + bytesText(needed) +
                            " of voxels are there");
  info.shape = {size[0], size[1], size[2], static_cast<int>(array.tensors ? kOfTensor.size() : array.numbers)};
  info.type = sameElementType(array.type).value_or(ElementType::f64);
  info.geometry = vtiPlaced(parser.geometry, extent, !array.cells);
  info.format = "VTK legacy";
  if (array.cells) info.notices.emplace_back("the values belong to cells; each cell is taken as a voxel");
  std::vector<std::string> others;
  for (const VtkArray& each : arrays)
    if (each.start != array.start) others.push_back(each.name);
  if (!others.empty()) info.notices.push_back(otherArraysNotice(array.name, others));
  repairGeometry(info);
  const bool wide = !sameElementType(array.type);
  std::vector<std::byte> stored(wide ? static_cast<std::size_t>(needed) : 0);
  if (wide) {
    // The values decide the type, so they are read first.
    readNumbers(path, array, parser.text, stored, control);
    info.notices.push_back(takeNarrowest(array.type, stored, info.type));
  }
  std::byte* out = allocate(info);
  if (out == nullptr) return info;
  const auto count = static_cast<std::size_t>(numbers);
  std::vector<std::byte> all(array.tensors ? count * bytesOf(info.type) : 0);
  const std::span<std::byte> values(array.tensors ? all.data() : out, count * bytesOf(info.type));
  if (wide) {
    convert(array.type, stored, info.type, values.data());
  } else {
    readNumbers(path, array, parser.text, values, control);
  }
  const std::size_t bytes = bytesOf(info.type);
  for (std::size_t v = 0; array.tensors && v < count / kInTensor; ++v)
    for (std::size_t k = 0; k < kOfTensor.size(); ++k)
      std::memcpy(out + (v * kOfTensor.size() + k) * bytes, all.data() + (v * kInTensor + kOfTensor[k]) * bytes, bytes);
  return info;
}

}  // namespace sscope::io
