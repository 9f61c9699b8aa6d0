#include <bit>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/io/detached.h"
#include "core/io/file_error.h"
#include "core/io/native/chunked_file.h"
#include "core/io/native/gunzip.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/nrrd_header.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

using enum ElementType;

std::optional<ElementType> typeNamed(const std::string& name) {
  static const std::map<std::string, ElementType> kNames = {
      {"signed char", i8}, {"int8", i8},          {"int8_t", i8},      {"uchar", u8},           {"unsigned char", u8},
      {"uint8", u8},       {"uint8_t", u8},       {"short", i16},      {"short int", i16},      {"signed short", i16},
      {"int16", i16},      {"int16_t", i16},      {"ushort", u16},     {"unsigned short", u16}, {"uint16", u16},
      {"uint16_t", u16},   {"int", i32},          {"signed int", i32}, {"int32", i32},          {"int32_t", i32},
      {"uint", u32},       {"unsigned int", u32}, {"uint32", u32},     {"uint32_t", u32},       {"float", f32},
      {"double", f64}};
  const auto found = kNames.find(name);
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

// "(1,0,0)" as three numbers; missing ones are zero. Empty for "none" and nonsense.
std::optional<std::array<double, 3>> vectorOf(std::string word) {
  if (word.size() < 2 || word.front() != '(') return std::nullopt;
  for (char& c : word)
    if (c == '(' || c == ')' || c == ',') c = ' ';
  std::istringstream stream(word);
  std::array<double, 3> result{0, 0, 0};
  for (double& value : result) stream >> value;
  return result;
}

struct Axes {
  std::vector<double> sizes;
  std::optional<std::size_t> component;  // the axis that holds components
};

Axes axesOf(const NrrdHeader& header, const std::string& path) {
  Axes axes;
  for (const std::string& word : words(header.field("sizes"))) {
    const double size = std::strtod(word.c_str(), nullptr);
    if (!(size >= 1) || size != std::floor(size)) throw damaged(path, "its header gives the size " + word);
    axes.sizes.push_back(size);
  }
  if (axes.sizes.empty() || axes.sizes.size() > 4)
    throw cannotRead(ErrorKind::Unsupported, path, "it has " + std::to_string(axes.sizes.size()) + " axes",
                     "save it with one to three axes and one of components");
  const auto kinds = words(header.field("kinds"));
  for (std::size_t a = 0; a < std::min(kinds.size(), axes.sizes.size()); ++a)
    if (kinds[a] != "domain" && kinds[a] != "space" && kinds[a] != "???" && kinds[a] != "none") axes.component = a;
  if (axes.sizes.size() == 4 && !axes.component) axes.component = 3;
  if (axes.component && *axes.component != 0 && *axes.component + 1 != axes.sizes.size())
    throw cannotRead(ErrorKind::Unsupported, path, "its components lie between its axes in space", "reorder its axes");
  return axes;
}

// Our directions are LPS; "right" and "anterior" turn the sign of an axis.
std::array<double, 3> signsOf(const std::string& space) {
  const bool right = space.starts_with("right") || space == "RAS";
  const bool anterior = space.find("anterior") != std::string::npos || space == "RAS" || space == "LAS";
  return {right ? -1.0 : 1.0, anterior ? -1.0 : 1.0, 1.0};
}

Geometry geometryOf(const NrrdHeader& header, const Axes& axes) {
  Geometry g;
  g.unit = nrrdUnit(header);
  const auto sign = signsOf(header.field("space"));
  const auto directions = words(header.field("space directions"));
  const auto spacings = words(header.field("spacings"));
  std::size_t space = 0;
  for (std::size_t a = 0; a < axes.sizes.size() && space < 3; ++a) {
    if (axes.component == a) continue;
    if (a < directions.size()) {
      if (const auto v = vectorOf(directions[a])) {
        const double length = std::hypot((*v)[0], (*v)[1], (*v)[2]);
        g.spacing[space] = length;
        for (std::size_t r = 0; r < 3; ++r) g.direction[3 * r + space] = length > 0 ? sign[r] * (*v)[r] / length : 0;
      }
    } else if (a < spacings.size()) {
      g.spacing[space] = std::strtod(spacings[a].c_str(), nullptr);
      if (!std::isfinite(g.spacing[space])) g.spacing[space] = 1;
    }
    ++space;
  }
  if (const auto origin = vectorOf(header.field("space origin")))
    for (std::size_t r = 0; r < 3; ++r) g.origin[r] = sign[r] * (*origin)[r];
  return g;
}

VolumeInfo infoOf(const NrrdHeader& header, const Axes& axes, const std::string& path) {
  VolumeInfo info;
  const auto type = typeNamed(header.field("type"));
  if (!type)
    throw cannotRead(ErrorKind::Unsupported, path, "its voxels are of the type \"" + header.field("type") + "\"",
                     "save them as 8, 16 or 32 bit integers, float or double");
  info.type = *type;
  std::array<double, 3> extent{1, 1, 1};
  double components = 1;
  std::size_t space = 0;
  for (std::size_t a = 0; a < axes.sizes.size(); ++a) {
    if (axes.component == a) {
      components = axes.sizes[a];
    } else {
      extent[space++] = axes.sizes[a];
    }
  }
  requireMemory(path, extent[0] * extent[1] * extent[2] * components * static_cast<double>(bytesOf(*type)), 0);
  if (components > 1 << 24) throw damaged(path, "it claims too many components");
  info.shape = {static_cast<std::int64_t>(extent[0]), static_cast<std::int64_t>(extent[1]),
                static_cast<std::int64_t>(extent[2]), static_cast<int>(components)};
  info.geometry = geometryOf(header, axes);
  info.format = "NRRD";
  repairGeometry(info);
  return info;
}

// components slowest -> components innermost, one element at a time through a copy.
void interleave(const VolumeInfo& info, std::byte* voxels) {
  const std::size_t bytes = bytesOf(info.type);
  const auto count = static_cast<std::size_t>(info.shape.voxels());
  const auto components = static_cast<std::size_t>(info.shape.components);
  const std::vector<std::byte> planes(voxels, voxels + count * components * bytes);
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t c = 0; c < components; ++c)
      std::copy_n(planes.data() + (c * count + v) * bytes, bytes, voxels + (v * components + c) * bytes);
}

std::int64_t skipOf(const NrrdHeader& header, const std::string& path) {
  const std::string skip = header.field("byte skip").empty() ? header.field("byteskip") : header.field("byte skip");
  const std::string lines = header.field("line skip").empty() ? header.field("lineskip") : header.field("line skip");
  if (!lines.empty() && lines != "0")
    throw cannotRead(ErrorKind::Unsupported, path, "it uses \"line skip\"", "use a build with ITK");
  const std::int64_t bytes = skip.empty() ? 0 : std::strtoll(skip.c_str(), nullptr, 10);
  if (bytes < -1) throw damaged(path, "its header gives the byte skip " + skip);
  return bytes;
}

}  // namespace

VolumeInfo readNrrd(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  const NrrdHeader header = parseNrrdHeader(path);
  checkDetachedData(path);
  const Axes axes = axesOf(header, path);
  VolumeInfo info = infoOf(header, axes, path);
  const std::string encoding = header.field("encoding");
  const bool packed = encoding == "gzip" || encoding == "gz";
  if (!packed && encoding != "raw")
    throw cannotRead(ErrorKind::Unsupported, path, "its encoding is " + encoding + " and this build has no ITK",
                     "save it with encoding raw or gzip");
  const std::string name = header.field("data file");
  if (name.starts_with("LIST") || name.find('%') != std::string::npos)
    throw cannotRead(ErrorKind::Unsupported, path, "its voxels are in several files and this build has no ITK",
                     "save it as one file");
  if (name.empty() && header.dataOffset == 0) throw damaged(path, "it ends inside its header");
  const fs::path data = name.empty() ? fs::path(path) : fs::path(path).parent_path() / name;
  std::int64_t offset = name.empty() ? header.dataOffset : 0;
  const std::int64_t skip = skipOf(header, path);
  const auto size = static_cast<std::size_t>(claimedBytes(info));
  std::byte* out = allocate(info);
  if (out == nullptr) return info;
  const std::span<std::byte> voxels(out, size);
  if (packed) {
    if (skip < 0)
      throw cannotRead(ErrorKind::Unsupported, path, "it uses \"byte skip: -1\" with compression",
                       "use a build with ITK");
    gunzipInto(data, path, offset, skip, voxels, control);
  } else {
    if (skip < 0) offset = static_cast<std::int64_t>(fs::file_size(data)) - static_cast<std::int64_t>(size);
    if (offset < 0) throw damaged(path, "it holds fewer voxels than its header says");
    readChunked(data, path, offset + std::max<std::int64_t>(skip, 0), voxels, control);
  }
  if ((header.field("endian") == "big") != (std::endian::native == std::endian::big))
    swapBytes(voxels, bytesOf(info.type));
  if (info.shape.components > 1 && axes.component != 0U) interleave(info, out);
  return info;
}

}  // namespace sscope::io
