#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/io/detached.h"
#include "core/io/file_error.h"
#include "core/io/native/chunked_file.h"
#include "core/io/native/gunzip.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/nrrd_header.h"
#include "core/io/native/text_numbers.h"
#include "core/io/numbered_name.h"

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

bool inSpace(const std::string& kind) { return kind == "domain" || kind == "space" || kind == "???" || kind == "none"; }

Axes axesOf(const NrrdHeader& header, const std::string& path) {
  Axes axes;
  for (const std::string& word : words(header.field("sizes"))) {
    const double size = std::strtod(word.c_str(), nullptr);
    if (!(size >= 1) || size != std::floor(size)) throw damaged(path, "its header gives the size " + word);
    axes.sizes.push_back(size);
  }
  if (const std::string dimension = header.field("dimension");
      !dimension.empty() && std::strtod(dimension.c_str(), nullptr) != static_cast<double>(axes.sizes.size()))
    throw damaged(path, "its header gives " + std::to_string(axes.sizes.size()) + " sizes of dimension " + dimension);
  if (axes.sizes.empty() || axes.sizes.size() > 4)
    throw cannotRead(ErrorKind::Unsupported, path, "it has " + std::to_string(axes.sizes.size()) + " axes",
                     "save it with one to three axes and one of components");
  const auto kinds = words(header.field("kinds"));
  for (std::size_t a = 0; a < std::min(kinds.size(), axes.sizes.size()); ++a)
    if (!inSpace(kinds[a])) axes.component = a;
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

Metadata metadataOf(const NrrdHeader& header, const Axes& axes) {
  Metadata metadata;
  metadata.fields = header.annotations;
  metadata.inSpace = !header.field("space").empty();
  if (const auto columns = words(header.field("measurement frame")); columns.size() == 3) {
    const auto sign = signsOf(header.field("space"));
    std::array<double, 9> frame{};
    bool whole = true;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto column = vectorOf(columns[a]);
      whole = whole && column;
      for (std::size_t r = 0; column && r < 3; ++r) frame[3 * r + a] = sign[r] * (*column)[r];
    }
    if (whole) metadata.measurementFrame = frame;
  }
  if (!axes.component) return metadata;
  const std::size_t axis = *axes.component;
  const auto kinds = words(header.field("kinds")), steps = words(header.field("spacings"));
  if (axis < kinds.size() && !inSpace(kinds[axis])) metadata.componentKind = kinds[axis];
  if (metadata.componentKind != "time" && metadata.componentKind != "list") return metadata;
  metadata.frames = axes.sizes[axis] < 1 << 24 ? static_cast<int>(axes.sizes[axis]) : 1;
  const double step = axis < steps.size() ? std::strtod(steps[axis].c_str(), nullptr) : 0;
  if (std::isfinite(step) && step > 0) metadata.frameSeconds = step;
  return metadata;
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
  info.metadata = metadataOf(header, axes);
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

std::string skipText(const NrrdHeader& header) {
  const std::string skip = header.field("byte skip");
  return skip.empty() ? header.field("byteskip") : skip;
}

std::int64_t lineSkip(const NrrdHeader& header) {
  const std::string skip = header.field("line skip");
  return std::strtoll((skip.empty() ? header.field("lineskip") : skip).c_str(), nullptr, 10);
}

// The numbers of "pattern first last step": counted first, without a sum that could overflow. Empty for nonsense.
std::optional<std::vector<std::int64_t>> fileNumbers(const std::vector<std::string>& parts) {
  std::array<std::int64_t, 3> given{};
  for (std::size_t k = 0; k < given.size(); ++k) {
    const std::string& word = parts[k + 1];
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), given[k]);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  }
  const auto [first, last, step] = given;
  if (step == 0 || (last != first && (last > first) != (step > 0))) return std::nullopt;
  const auto low = static_cast<std::uint64_t>(std::min(first, last)),
             high = static_cast<std::uint64_t>(std::max(first, last));
  const std::uint64_t stride = step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  constexpr std::uint64_t kMostFiles = 1 << 16;
  const std::uint64_t further = (high - low) / stride;  // beyond the first
  if (further >= kMostFiles) return std::nullopt;
  std::vector<std::int64_t> numbers = {first};
  for (std::uint64_t k = 0; k < further; ++k) numbers.push_back(numbers.back() + step);
  return numbers;
}

// The files that hold the voxels, in order: this one, one other, a numbered row or a list.
std::vector<fs::path> dataFilesOf(const NrrdHeader& header, const std::string& path) {
  const std::string field = header.field("data file");
  if (field.empty()) return {fs::path(path)};
  const fs::path folder = fs::path(path).parent_path();
  std::vector<std::string> names = {field};
  const auto parts = words(field);
  if (field.starts_with("LIST")) {
    names = detachedNames(path);
  } else if (parts.size() >= 4 && parts[0].find('%') != std::string::npos) {
    const auto numbers = fileNumbers(parts);
    if (!hasPlaceForNumber(parts[0]))
      throw damaged(path,
                    "its header names its data files by " + parts[0] + ", which has no place for a number (%03d)");
    if (!numbers) throw damaged(path, "the numbering of its data files in the header makes no sense");
    names.clear();
    for (const std::int64_t number : *numbers) names.push_back(numberedName(parts[0], number));
  }
  if (names.empty()) throw damaged(path, "its header lists no data files");
  std::vector<fs::path> files;
  for (const std::string& name : names) {
    requireDataInside(path, name);
    files.push_back(folder / name);
  }
  return files;
}

enum class Encoding { Raw, Gzip, Text, Other };

Encoding encodingOf(const NrrdHeader& header) {
  std::string name = header.field("encoding");
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name == "raw") return Encoding::Raw;
  if (name == "gzip" || name == "gz") return Encoding::Gzip;
  return name == "text" || name == "txt" || name == "ascii" ? Encoding::Text : Encoding::Other;
}

struct Share {
  const fs::path& file;
  const std::string& shown;
  std::int64_t offset, skip;
  Encoding encoding;
  ElementType type;
};

void readShare(const Share& share, std::span<std::byte> out, const Control& control) {
  if (share.encoding == Encoding::Gzip)
    return gunzipInto(share.file, share.shown, share.offset, share.skip, out, control);
  if (share.encoding == Encoding::Text) {
    TextNumbers text(share.file, share.shown, share.offset + share.skip, ",");
    text.read(storedAs(share.type), out, control);
    return text.requireEnd();
  }
  std::int64_t offset = share.offset + share.skip;
  // A skip of -1 counts from the end of the file.
  if (share.skip < 0) offset = sizeOfFile(share.file, share.file.string()) - static_cast<std::int64_t>(out.size());
  if (offset < 0) throw damaged(share.shown, "it holds fewer voxels than its header says");
  readChunked(share.file, share.shown, offset, out, control);
}

}  // namespace

bool readsNrrdNatively(const NrrdHeader& header) {
  const Encoding encoding = encodingOf(header);
  return encoding != Encoding::Other && typeNamed(header.field("type")) && lineSkip(header) == 0 &&
         (encoding == Encoding::Raw || std::strtoll(skipText(header).c_str(), nullptr, 10) >= 0);
}

// ITK takes what is no number for a gap between two.
bool isNrrdText(const NrrdHeader& header) { return encodingOf(header) == Encoding::Text; }

namespace {

// What the header says.
struct NrrdDescription {
  VolumeInfo info;
  std::vector<fs::path> files;
  std::int64_t start = 0, skip = 0;  // bytes of the first file before its data; of those, unpacked, before the voxels
  Encoding encoding = Encoding::Raw;
  bool swapped = false;
  bool innermost = true;  // the components
};

NrrdDescription describeNrrd(const NrrdHeader& header, const std::string& path) {
  if (!readsNrrdNatively(header) && isNrrdText(header))
    throw cannotRead(ErrorKind::Unsupported, path,
                     "its voxels are text of the type \"" + header.field("type") + "\", or behind skipped lines",
                     "save it with encoding raw or gzip");
  if (!readsNrrdNatively(header))
    throw cannotRead(ErrorKind::Unsupported, path,
                     "only ITK understands its type, encoding or skips, and this build has none",
                     "save it with encoding raw or gzip");
  const Axes axes = axesOf(header, path);
  NrrdDescription d;
  d.info = infoOf(header, axes, path);
  d.skip = std::strtoll(skipText(header).c_str(), nullptr, 10);
  constexpr std::int64_t kLongestSkip = std::int64_t{1} << 60;
  if (d.skip < -1 || d.skip > kLongestSkip)
    throw damaged(path, "its header gives the byte skip " + std::to_string(d.skip));
  if (header.field("data file").empty() && header.dataOffset == 0) throw damaged(path, "it ends inside its header");
  d.files = dataFilesOf(header, path);
  if (static_cast<std::size_t>(claimedBytes(d.info)) % d.files.size() != 0)
    throw damaged(path, "its " + std::to_string(d.files.size()) + " data files cannot share its voxels evenly");
  d.encoding = encodingOf(header);
  d.start = header.field("data file").empty() ? header.dataOffset : 0;
  d.swapped =
      d.encoding != Encoding::Text && (header.field("endian") == "big") != (std::endian::native == std::endian::big);
  d.innermost = d.info.shape.components == 1 || axes.component == 0U;
  return d;
}

}  // namespace

VolumeInfo readNrrd(const NrrdHeader& header, const std::string& path, const AllocateVoxels& allocate,
                    const Control& control) {
  NrrdDescription d = describeNrrd(header, path);
  VolumeInfo& info = d.info;
  if (d.encoding == Encoding::Raw && d.files.size() == 1 && d.innermost)
    info.plain = {d.files[0].string(), d.skip < 0 ? -1 : d.start + d.skip, d.swapped};
  std::byte* out = allocate(info);
  if (out == nullptr) return info;
  const auto size = static_cast<std::size_t>(claimedBytes(info));
  const std::size_t share = size / d.files.size();
  for (std::size_t f = 0; f < d.files.size(); ++f)
    readShare({d.files[f], path, d.start, d.skip, d.encoding, info.type}, {out + f * share, share}, control);
  const std::span<std::byte> voxels(out, size);
  if (d.swapped) swapBytes(voxels, bytesOf(info.type), control);
  if (!d.innermost) interleave(info, out);
  return info;
}

LocatedVolume locateNrrd(const NrrdHeader& header, const std::string& path) {
  const std::string encoding = header.field("encoding");
  if (!readsNrrdNatively(header) || isNrrdText(header))
    throw notBySlabs(path, "its voxels have the type \"" + header.field("type") + "\" and the encoding \"" + encoding +
                               "\", or lines are skipped");
  NrrdDescription d = describeNrrd(header, path);
  if (d.files.size() != 1) throw notBySlabs(path, "its voxels lie in " + std::to_string(d.files.size()) + " files");
  const VolumeShape& shape = d.info.shape;
  StoredVoxels voxels{.file = d.files[0].string(),
                      .type = storedAs(d.info.type),
                      .swapped = d.swapped,
                      .layout = framesOf(shape, d.innermost ? shape.components : 1),
                      .chosen = allOf(shape)};
  if (d.encoding == Encoding::Gzip) {
    voxels.packing = Packing::Deflate;
    voxels.offset = d.start;
    voxels.skip = d.skip;
  } else {
    voxels.offset = d.skip < 0 ? -1 : d.start + d.skip;
  }
  return {std::move(d.info), std::move(voxels)};
}

}  // namespace sscope::io
