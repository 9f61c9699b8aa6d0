#include "core/io/native/vtk.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/header_text.h"
#include "core/io/native/vti.h"

namespace sscope::io {

namespace {

struct VtkArray {
  std::string name;
  Stored type = Stored::u8;
  std::int64_t numbers = 1;  // in each voxel of the file
  std::int64_t start = 0;    // offset of the first byte
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
  explicit VtkParser(const InputFile& file) : path_(file.path()), bytes_(file.bytes()), file_(file) {}

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
  // Reads the words of the next line that is not empty. The first word shows whether it is a line of numbers.
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

  // Skips lines up to an empty one.
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
      // Fields of the whole file hold one number or a few.
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
      array(name, type, 9, tuples(), true);
      if (!arrays.empty() && arrays.back().name == name) arrays.back().tensors = true;
    }
  }

  // Adds an array whose values begin here, and skips them.
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
  InputStream file_;
  std::vector<std::string> words_;
  bool cells_ = false, inData_ = false;
};

}  // namespace

LocatedVolume locateVtk(const InputFile& file) {
  const std::string& path = file.path();
  VtkParser parser(file);
  parser.run();
  if (parser.arrays.empty()) throw damaged(path, "it is cut off: it ends before its voxels begin");
  auto& arrays = parser.arrays;
  const auto found = std::find_if(arrays.begin(), arrays.end(), [](const VtkArray& a) { return !a.cells; });
  const VtkArray array = found == arrays.end() ? arrays.front() : *found;
  LocatedVolume located;
  VolumeInfo& info = located.info;
  std::array<double, 6> extent{};
  double voxels = 1;
  std::array<std::int64_t, 3> size{};
  for (std::size_t a = 0; a < 3; ++a) {
    extent[2 * a + 1] = parser.size[a] - 1;
    const double along = array.cells ? std::max(1.0, parser.size[a] - 1) : parser.size[a];
    voxels *= along;
    size[a] = static_cast<std::int64_t>(std::min(along, 0x1p40));
  }
  requireMemory(path, voxels * static_cast<double>(array.numbers) * static_cast<double>(bytesOf(array.type)), 0);
  info.shape = {size[0], size[1], size[2], static_cast<int>(array.numbers)};
  takeStored(located, array.type, array.numbers);
  if (array.tensors) {
    info.shape.components = 6;
    located.voxels.symmetric = true;
    located.voxels.chosen = allOf(info.shape);
  }
  info.geometry = vtiPlaced(parser.geometry, extent, !array.cells);
  info.format = "VTK legacy";
  if (array.cells) info.notices.emplace_back("the values belong to cells; each cell is taken as a voxel");
  std::vector<std::string> others;
  for (const VtkArray& each : arrays)
    if (each.start != array.start) others.push_back(each.name);
  if (!others.empty()) info.notices.push_back(otherArraysNotice(array.name, others));
  repairGeometry(info);
  located.voxels.file = path;
  located.voxels.offset = array.start;
  located.voxels.packing = parser.text ? Packing::Text : Packing::None;
  located.voxels.swapped = !parser.text && std::endian::native == std::endian::little;
  return located;
}

std::string formatVtkHeader(const VolumeOutline& volume) {
  constexpr const char* kNames[] = {"unsigned_char", "char", "unsigned_short", "short",
                                    "unsigned_int",  "int",  "float",          "double"};
  const VolumeShape& s = volume.shape;
  const Geometry g = inMillimeters(volume.geometry);  // the format knows no other unit
  const std::string type = kNames[static_cast<std::size_t>(volume.type)], components = std::to_string(s.components);
  const auto line = [](const char* name, const std::array<double, 3>& v) {
    return fmt::format("{} {:.16e} {:.16e} {:.16e} \n", name, v[0], v[1], v[2]);
  };
  return "# vtk DataFile Version 3.0\nVTK File Generated by Insight Segmentation and Registration Toolkit (ITK)\n"
         "BINARY\nDATASET STRUCTURED_POINTS\n" +
         fmt::format("DIMENSIONS {} {} {} \n", s.nx, s.ny, s.nz) + line("SPACING", g.spacing) +
         line("ORIGIN", g.origin) + fmt::format("POINT_DATA {}\n", s.voxels()) +
         (s.components == 3 ? "VECTORS vectors " + type + "\n"
                            : "SCALARS scalars " + type + " " + components + "\nLOOKUP_TABLE default\n");
}

}  // namespace sscope::io
