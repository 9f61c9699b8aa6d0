#include "core/io/native/meta.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iomanip>
#include <limits>
#include <locale>
#include <map>
#include <sstream>

#include "core/io/base/file_error.h"
#include "core/io/base/header_text.h"
#include "core/volume/geometry.h"
#include "core/volume/meaning.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

constexpr std::size_t kMostLines = 4096, kMostAxes = 10;
constexpr std::int64_t kLargestFile = std::int64_t{1} << 60;

std::vector<double> numbers(const std::string& text) {
  std::vector<double> result;
  for (const std::string& word : wordsIn(text)) result.push_back(std::strtod(word.c_str(), nullptr));
  return result;
}

bool yes(const std::string& text) { return !text.empty() && (text[0] == 'T' || text[0] == 't' || text[0] == '1'); }

std::optional<Stored> storedNamed(std::string type) {
  if (type.ends_with("_ARRAY")) type.resize(type.size() - 6);
  static const std::map<std::string, Stored> kNames = {
      {"MET_UCHAR", Stored::u8},       {"MET_CHAR", Stored::i8},       {"MET_ASCII_CHAR", Stored::i8},
      {"MET_USHORT", Stored::u16},     {"MET_SHORT", Stored::i16},     {"MET_UINT", Stored::u32},
      {"MET_INT", Stored::i32},        {"MET_ULONG", Stored::u32},     {"MET_LONG", Stored::i32},
      {"MET_ULONG_LONG", Stored::u64}, {"MET_LONG_LONG", Stored::i64}, {"MET_FLOAT", Stored::f32},
      {"MET_DOUBLE", Stored::f64}};
  const auto found = kNames.find(type);
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

using Fields = std::map<std::string, std::string>;

// The value of a field with several names.
std::string field(const Fields& fields, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto found = fields.find(name); found != fields.end()) return found->second;
  return {};
}

std::size_t axesOf(const Fields& fields, const std::string& path) {
  const double axes = std::strtod(field(fields, {"NDims"}).c_str(), nullptr);
  if (!(axes >= 1 && axes <= static_cast<double>(kMostAxes)) || axes != std::floor(axes))
    throw damaged(path, "its header gives an impossible number of axes");
  return static_cast<std::size_t>(axes);
}

std::vector<std::int64_t> sizeOf(const Fields& fields, std::size_t axes, const std::string& path) {
  std::vector<std::int64_t> result;
  for (const std::string& word : wordsIn(field(fields, {"DimSize"}))) {
    if (result.size() == axes) break;
    const double extent = std::strtod(word.c_str(), nullptr);
    if (!(extent >= 1 && extent <= 0x1p40) || extent != std::floor(extent))
      throw damaged(path, "its header gives the size " + word + " along axis " + std::to_string(result.size() + 1));
    result.push_back(static_cast<std::int64_t>(extent));
  }
  if (result.size() < axes)
    throw damaged(path, "its header has " + std::to_string(axes) + " axes and the size of " +
                            std::to_string(result.size()) + " of them");
  return result;
}

// Millimeters by convention.
std::string unitOf(const std::string& text) {
  const std::string unit = lengthUnit(text);
  return millimetersIn(unit) ? unit : "mm";
}

std::string inPieces(const Fields& fields, const std::string& name) {
  std::string text;
  std::int64_t n = 0;
  for (;; ++n) {
    const std::string piece = field(fields, {(name + std::to_string(n)).c_str()});
    if (piece.size() < 2) break;
    text += piece.substr(1, piece.size() - 2);
  }
  const auto there = std::ranges::count_if(fields, [&](const auto& each) { return each.first.starts_with(name); });
  return there == n ? text : unreadable("a piece of it is missing");
}

// The file lists the directions axis by axis; they span all its axes, of which three are in space.
Geometry geometryOf(const Fields& fields, std::size_t axes) {
  Geometry g;
  const auto spacing = numbers(field(fields, {"ElementSpacing", "ElementSize"}));
  const std::string unit = field(fields, {"DistanceUnits"});
  // Without a spacing and a unit the file says nothing about lengths.
  g.unit = spacing.empty() && unit.empty() ? "" : unitOf(unit);
  const auto origin = numbers(field(fields, {"Offset", "Position", "Origin"}));
  const auto matrix = numbers(field(fields, {"TransformMatrix", "Rotation", "Orientation"}));
  for (std::size_t a = 0; a < std::min<std::size_t>(axes, 3); ++a) {
    if (a < spacing.size()) {
      g.spacing[a] = spacing[a];
    } else {
      g.steps[a] = StepSource::Assumed;
    }
    if (a < origin.size()) g.origin[a] = origin[a];
    if (matrix.size() != axes * axes) continue;
    for (std::size_t r = 0; r < std::min<std::size_t>(axes, 3); ++r) g.direction[3 * r + a] = matrix[axes * a + r];
  }
  return g;
}

void takeScale(const Fields& fields, MetaHeader& header) {
  const auto slope = numbers(field(fields, {"ElementToIntensityFunctionSlope"}));
  const auto intercept = numbers(field(fields, {"ElementToIntensityFunctionOffset"}));
  if (!slope.empty()) header.slope = slope[0];
  if (!intercept.empty()) header.intercept = intercept[0];
}

MetaHeader headerFrom(const Fields& fields, const std::string& path) {
  const std::string kind = field(fields, {"ObjectType"});
  if (!kind.empty() && kind != "Image")
    throw cannotRead(ErrorKind::Unsupported, path, "it holds a MetaIO " + kind + ", not an image", "name an image");
  MetaHeader header;
  const std::size_t axes = axesOf(fields, path);
  header.size = sizeOf(fields, axes, path);
  const std::string type = field(fields, {"ElementType"});
  const auto stored = storedNamed(type);
  if (!stored)
    throw cannotRead(ErrorKind::Unsupported, path, "its voxels are of the type \"" + type + "\"",
                     "save them as 8, 16 or 32 bit integers, float or double");
  header.stored = *stored;
  if (const std::string text = field(fields, {"ElementNumberOfChannels"}); !text.empty()) {
    const double channels = std::strtod(text.c_str(), nullptr);
    if (!(channels >= 1 && channels <= 1 << 24) || channels != std::floor(channels))
      throw damaged(path, "its header gives " + text + " channels");
    header.channels = static_cast<std::int64_t>(channels);
  }
  if (const std::string text = field(fields, {"BinaryData"}); !text.empty()) header.binary = yes(text);
  header.compressed = yes(field(fields, {"CompressedData"}));
  header.bigEndian = yes(field(fields, {"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}));
  header.headerBytes = std::strtoll(field(fields, {"HeaderSize"}).c_str(), nullptr, 10);
  if (header.headerBytes < -1 || header.headerBytes > kLargestFile)
    throw damaged(path, "its header gives an impossible HeaderSize");
  header.geometry = geometryOf(fields, axes);
  takeScale(fields, header);
  header.data = field(fields, {"ElementDataFile"});
  header.provenance = inPieces(fields, kMetaProvenance);
  header.meaning = inPieces(fields, kMetaMeaning);
  return header;
}

}  // namespace

bool MetaHeader::attached() const { return data == "LOCAL" || data == "Local" || data == "local"; }

double MetaHeader::elements() const {
  double count = static_cast<double>(channels);
  for (const std::int64_t extent : size) count *= static_cast<double>(extent);
  return count;
}

MetaHeader parseMetaHeader(const InputFile& file) {
  const std::string& path = file.path();
  HeaderLines lines(file);
  Fields fields;
  std::string line;
  std::int64_t offset = 0;
  for (std::size_t n = 0; n < kMostLines && lines.next(line); ++n) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = trimmed(line.substr(0, equals));
    fields.emplace(key, trimmed(line.substr(equals + 1)));
    if (key != "ElementDataFile") continue;
    offset = lines.position();
    break;
  }
  if (!fields.contains("ElementDataFile"))
    throw damaged(path, "its header ends before it names the place of the voxels (ElementDataFile)");
  MetaHeader header = headerFrom(fields, path);
  header.dataOffset = offset;
  if (header.data.starts_with("LIST"))
    while (lines.next(line) && header.list.size() < (1 << 20))
      if (const std::string name = trimmed(line); !name.empty()) header.list.push_back(name);
  return header;
}

namespace {

constexpr const char* kMetaTypes[] = {"MET_UCHAR", "MET_CHAR", "MET_USHORT", "MET_SHORT",
                                      "MET_UINT",  "MET_INT",  "MET_FLOAT",  "MET_DOUBLE"};

}  // namespace

std::string formatMetaHeader(const VolumeOutline& volume, const Metadata& metadata, const std::string& dataFile,
                             bool compress) {
  const VolumeShape& s = volume.shape;
  const Geometry g = inMillimeters(volume.geometry);  // the format knows no other unit
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::setprecision(std::numeric_limits<double>::max_digits10);
  text << "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = "
       << (std::endian::native == std::endian::big ? "True" : "False")
       << "\nCompressedData = " << (compress ? "True" : "False");
  if (compress) text << "\nCompressedDataSize = " << kMetaSizePlace;
  text << "\nTransformMatrix =";
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t row = 0; row < 3; ++row) text << ' ' << g.direction[3 * row + axis];
  text << "\nOffset = " << g.origin[0] << ' ' << g.origin[1] << ' ' << g.origin[2] << "\nCenterOfRotation = 0 0 0\n"
       << "ElementSpacing = " << g.spacing[0] << ' ' << g.spacing[1] << ' ' << g.spacing[2] << "\nDimSize = " << s.nx
       << ' ' << s.ny << ' ' << s.nz << '\n';
  if (s.components > 1) text << "ElementNumberOfChannels = " << s.components << '\n';
  const auto put = [&](const char* name, const std::string& all) {
    // Other readers accept lines of some hundred characters and cut off white space.
    constexpr std::size_t kPiece = 400;
    for (std::size_t at = 0; at < all.size(); at += kPiece)
      text << name << at / kPiece << " = \"" << all.substr(at, kPiece) << "\"\n";
  };
  put(kMetaMeaning, meaningText(metadata));
  put(kMetaProvenance, metadata.provenance);
  text << "ElementType = " << kMetaTypes[static_cast<std::size_t>(volume.type)] << "\nElementDataFile = " << dataFile
       << '\n';
  return text.str();
}

}  // namespace sscope::io
