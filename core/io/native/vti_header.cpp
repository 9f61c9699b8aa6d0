#include "core/io/native/vti.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <iomanip>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/native/xml_tags.h"
#include "core/volume/meaning.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

constexpr std::size_t kLongestVtiHeader = std::size_t{1} << 20;

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
  std::vector<Tag> pieces, points, cells;  // the last two are arrays
  std::string pointScalars, cellScalars;   // names of the active arrays
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
    while (at < text.size() && isXmlSpace(text[at])) ++at;
    if (at >= text.size() || text[at] != '_') throw damaged(path, "its appended data do not begin as they should");
    header.data = at + 1;
    return header;
  }
  if (text.size() == kLongestVtiHeader) throw notBySlabs(path, "its header is longer than 1 MiB");
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
  const auto type = vtiType(name);
  if (type == Stored::i64 || type == Stored::u64)
    throw cannotRead(ErrorKind::Unsupported, path, "its voxels are 64-bit integers",
                     "save them as 32-bit integers or as floating point");
  if (type) return *type;
  throw damaged(path, "its voxels are of the unknown type \"" + name + "\"");
}

Geometry geometryOf(const Tag& image) {
  Geometry g;
  g.spacing = numbersOf<3>(image.attribute("Spacing")).value_or(g.spacing);
  g.origin = numbersOf<3>(image.attribute("Origin")).value_or(g.origin);
  g.direction = numbersOf<9>(image.attribute("Direction")).value_or(g.direction);
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

}  // namespace

Geometry vtiPlaced(Geometry geometry, const std::array<double, 6>& extent, bool points) {
  std::array<double, 3> first{};
  for (std::size_t a = 0; a < 3; ++a)
    first[a] = extent[2 * a] + (!points && extent[2 * a + 1] > extent[2 * a] ? 0.5 : 0);
  geometry.origin = geometry.toPhysical(first);
  return geometry;
}

std::string otherArraysNotice(const std::string& read, const std::vector<std::string>& others) {
  std::string names;
  constexpr std::size_t kMost = 8;
  for (std::size_t i = 0; i < std::min(others.size(), kMost); ++i) names += (i == 0 ? "\"" : ", \"") + others[i] + "\"";
  return "the file holds " + std::to_string(others.size() + 1) + " arrays; \"" + read + "\" was read, and not " +
         names + (others.size() > kMost ? ", ..." : "");
}

namespace {

std::string textOfVti(const std::string& text, const char* name) {
  Tags tags(text);
  for (auto tag = tags.next(); tag && tag->name != "AppendedData" && tag->name != "Piece"; tag = tags.next()) {
    if (tag->name != "Array" || tag->attribute("Name") != name) continue;
    if (tag->attribute("format") != "ascii") return unreadable("its array is not written as text");
    const std::size_t end = std::min(text.find('<', tags.position()), text.size());
    std::istringstream numbers(text.substr(tags.position(), end - tags.position()));
    std::string made;
    for (int code = 0; numbers >> code && code > 0 && code < 128;) made += static_cast<char>(code);
    return made;
  }
  return {};
}

}  // namespace

void takeTextsOfVti(const InputFile& file, VolumeInfo& info) {
  const std::string text = file.text(0, kLongestVtiHeader);
  takeMeaning(textOfVti(text, kMeaningKey), info);
  takeProvenance(textOfVti(text, kProvenanceKey), info);
}

LocatedVolume locateVti(const InputFile& file) {
  const std::string& path = file.path();
  requireVtiArrays(file);
  const std::string text = file.text(0, kLongestVtiHeader);
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
  takeStored(located, storedType(array.attribute("type"), path), info.shape.components);
  voxels.swapped = (header.file.attribute("byte_order") == "BigEndian") != (std::endian::native == std::endian::big);
  info.geometry = vtiPlaced(geometryOf(header.image), *extent, points);
  info.format = "VTK XML image";
  if (!points) info.notices.emplace_back("the values belong to cells; each cell is taken as a voxel");
  std::vector<std::string> others;
  for (const auto* list : {&header.points, &header.cells})
    for (const Tag& each : *list)
      if (&each != &array) others.push_back(each.attribute("Name"));
  if (!others.empty()) info.notices.push_back(otherArraysNotice(array.attribute("Name"), others));
  takeTextsOfVti(file, info);
  repairGeometry(info);

  std::int64_t offset = -1;
  const std::string given = array.attribute("offset");
  const auto [end, code] = std::from_chars(given.data(), given.data() + given.size(), offset);
  constexpr std::int64_t kFarthest = std::int64_t{1} << 60;
  if (code != std::errc() || end != given.data() + given.size() || offset < 0 || offset > kFarthest)
    throw damaged(path, "its header gives an impossible offset for the voxels");
  offset += static_cast<std::int64_t>(header.data);
  const std::size_t width = header.file.attribute("header_type", "UInt32") == "UInt64" ? 8 : 4;
  voxels.offset = offset + static_cast<std::int64_t>(width);
  return located;
}

namespace {

template <class List>
std::string joined(const List& values) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::setprecision(std::numeric_limits<double>::max_digits10);
  const char* separator = "";
  for (const double value : values) {
    text << separator << value;
    separator = " ";
  }
  return text.str();
}

// An array of one text as VTK writes it: the numbers of its characters with a 0 at the end, all of the same width.
std::string vtiTextArray(const char* name, const std::string& text) {
  if (text.empty()) return {};
  std::string numbers;
  for (const char c : text) {
    const std::string number = std::to_string(static_cast<int>(c));
    numbers += std::string(4 - number.size(), ' ') + number;
  }
  return "<Array type=\"String\" Name=\"" + std::string(name) + "\" NumberOfTuples=\"1\" format=\"ascii\">\n" +
         numbers + " 0\n</Array>\n";
}

std::string fieldData(const Metadata& metadata) {
  const std::string arrays =
      vtiTextArray(kMeaningKey, meaningText(metadata)) + vtiTextArray(kProvenanceKey, metadata.provenance);
  return arrays.empty() ? arrays : "<FieldData>\n" + arrays + "</FieldData>\n";
}

}  // namespace

std::string formatVtiHeader(const VolumeOutline& volume, const Metadata& metadata) {
  const VolumeShape& s = volume.shape;
  const Geometry g = inMillimeters(volume.geometry);  // the format knows no other unit
  const std::string extent =
      "0 " + std::to_string(s.nx - 1) + " 0 " + std::to_string(s.ny - 1) + " 0 " + std::to_string(s.nz - 1);
  const char* order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  return "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"" +
         std::string(order) +
         "\" header_type=\"UInt64\">\n"
         "<ImageData WholeExtent=\"" +
         extent + "\" Origin=\"" + joined(g.origin) + "\" Spacing=\"" + joined(g.spacing) + "\" Direction=\"" +
         joined(g.direction) + "\">\n" + fieldData(metadata) + "<Piece Extent=\"" + extent +
         "\">\n<PointData Scalars=\"values\">\n"
         "<DataArray type=\"" +
         std::string(kVtiTypes[static_cast<std::size_t>(volume.type)]) + "\" Name=\"values\" NumberOfComponents=\"" +
         std::to_string(s.components) +
         "\" format=\"appended\" offset=\"0\"/>\n"
         "</PointData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_";
}

}  // namespace sscope::io
