#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/io/base/chunked_file.h"
#include "core/io/base/detached.h"
#include "core/io/base/file_error.h"
#include "core/io/base/gunzip.h"
#include "core/io/base/numbered_name.h"
#include "core/io/base/text_numbers.h"
#include "core/io/base/trimmed.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/nrrd_axes.h"
#include "core/io/native/nrrd_header.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

using enum Stored;

std::optional<Stored> typeNamed(const std::string& name) {
  static const std::map<std::string, Stored> kNames = {{"signed char", i8},
                                                       {"int8", i8},
                                                       {"int8_t", i8},
                                                       {"uchar", u8},
                                                       {"unsigned char", u8},
                                                       {"uint8", u8},
                                                       {"uint8_t", u8},
                                                       {"short", i16},
                                                       {"short int", i16},
                                                       {"signed short", i16},
                                                       {"signed short int", i16},
                                                       {"int16", i16},
                                                       {"int16_t", i16},
                                                       {"ushort", u16},
                                                       {"unsigned short", u16},
                                                       {"unsigned short int", u16},
                                                       {"uint16", u16},
                                                       {"uint16_t", u16},
                                                       {"int", i32},
                                                       {"signed int", i32},
                                                       {"int32", i32},
                                                       {"int32_t", i32},
                                                       {"uint", u32},
                                                       {"unsigned int", u32},
                                                       {"uint32", u32},
                                                       {"uint32_t", u32},
                                                       {"longlong", i64},
                                                       {"long long", i64},
                                                       {"long long int", i64},
                                                       {"signed long long", i64},
                                                       {"signed long long int", i64},
                                                       {"int64", i64},
                                                       {"int64_t", i64},
                                                       {"ulonglong", u64},
                                                       {"unsigned long long", u64},
                                                       {"unsigned long long int", u64},
                                                       {"uint64", u64},
                                                       {"uint64_t", u64},
                                                       {"float", f32},
                                                       {"double", f64}};
  const auto found = kNames.find(name);
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

std::int64_t skipOf(const NrrdHeader& header, const std::string& what, const std::string& path) {
  const std::string text = header.field(what);
  constexpr std::int64_t kLongestSkip = std::int64_t{1} << 60;
  std::int64_t skip = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), skip);
  if (!text.empty() && (code != std::errc() || end != text.data() + text.size() || skip < -1 || skip > kLongestSkip))
    throw damaged(path, "its header gives the " + what + " " + text);
  return skip;
}

// Behind so many lines from `start` on.
std::int64_t behindLines(const fs::path& file, const std::string& shown, std::int64_t start, std::int64_t lines) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(start);
  for (std::int64_t n = 0; n < lines; ++n)
    if (!stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n') || stream.eof())
      throw damaged(shown, "it has fewer lines than its header skips");
  return lines > 0 ? static_cast<std::int64_t>(stream.tellg()) : start;
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
  const auto parts = wordsIn(field);
  if (field.starts_with("LIST")) {
    names = detachedNames(path);
  } else if (parts.size() >= 4 && parts[0].find('%') != std::string::npos) {
    const auto numbers = fileNumbers(parts);
    if (!hasPlaceForNumber(parts[0]))
      throw damaged(path,
                    "its header names its data files by " + parts[0] + ", which has no place for a number (%03d)");
    if (!numbers) throw damaged(path, "the numbering of its data files in the header is invalid");
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

enum class Encoding { Raw, Gzip, Text };

Encoding encodingOf(const NrrdHeader& header, const std::string& path) {
  const std::string name = header.field("encoding");
  if (name == "raw") return Encoding::Raw;
  if (name == "gzip" || name == "gz") return Encoding::Gzip;
  if (name == "text" || name == "txt" || name == "ascii") return Encoding::Text;
  throw cannotRead(ErrorKind::Unsupported, path,
                   "its voxels have the encoding \"" + name + "\", which is not supported",
                   "save it with encoding gzip or raw");
}

struct Share {
  const fs::path& file;
  const std::string& shown;
  std::int64_t offset, skip;
  Encoding encoding;
  Stored type;
};

void readShare(const Share& share, std::span<std::byte> out, const Control& control) {
  if (share.encoding == Encoding::Gzip) {
    std::int64_t skip = share.skip;
    if (skip < 0)
      skip = gunzippedBytes(share.file, share.shown, share.offset, control) - static_cast<std::int64_t>(out.size());
    if (skip < 0) throw damaged(share.shown, "it holds fewer voxels than its header states");
    return gunzipInto(share.file, share.shown, share.offset, skip, out, control);
  }
  if (share.encoding == Encoding::Text) {
    TextNumbers text(share.file, share.shown, share.offset + share.skip, ",");
    text.read(share.type, out, control);
    return text.requireEnd();
  }
  std::int64_t offset = share.offset + share.skip;
  // A skip of -1 counts from the end of the file.
  if (share.skip < 0) offset = sizeOfFile(share.file, share.file.string()) - static_cast<std::int64_t>(out.size());
  if (offset < 0) throw damaged(share.shown, "it holds fewer voxels than its header states");
  readChunked(share.file, share.shown, offset, out, control);
}

// What the header says.
struct NrrdDescription {
  VolumeInfo info;
  std::vector<fs::path> files;
  std::int64_t lines = 0;            // of each file that are skipped
  std::int64_t start = 0, skip = 0;  // bytes of the first file before its data; of those, unpacked, before the voxels
  Encoding encoding = Encoding::Raw;
  Stored type = u8;
  bool swapped = false;
  FrameLayout layout;
  [[nodiscard]] bool innermost() const { return layout.frames == 1; }  // the components
  [[nodiscard]] bool wide() const { return !sameElementType(type); }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(info.shape.elements()) * bytesOf(type); }
};

NrrdDescription describeNrrd(const NrrdHeader& header, const std::string& path) {
  NrrdDescription d;
  if (header.field("data file").empty() && header.dataOffset == 0) throw damaged(path, "it ends inside its header");
  const auto type = typeNamed(header.field("type"));
  if (!type)
    throw cannotRead(ErrorKind::Unsupported, path, "its voxels are of the type \"" + header.field("type") + "\"",
                     "save them as integers, float or double");
  d.encoding = encodingOf(header, path);
  NrrdAxes axes = nrrdAxes(header, path, bytesOf(*type));
  d.info = std::move(axes.info);
  d.layout = axes.layout;
  d.type = *type;
  d.info.type = sameElementType(*type).value_or(ElementType::f64);
  d.info.format = "NRRD";
  takeNrrdTexts(d.info);
  d.lines = skipOf(header, "line skip", path);
  d.skip = skipOf(header, "byte skip", path);
  d.files = dataFilesOf(header, path);
  if (d.bytes() % d.files.size() != 0)
    throw damaged(path, "its " + std::to_string(d.files.size()) + " data files cannot share its voxels evenly");
  d.start = header.field("data file").empty() ? header.dataOffset : 0;
  if (d.files.size() == 1) d.start = behindLines(d.files[0], path, d.start, std::exchange(d.lines, 0));
  d.swapped =
      d.encoding != Encoding::Text && (header.field("endian") == "big") != (std::endian::native == std::endian::big);
  if (d.encoding != Encoding::Text && bytesOf(*type) > 1 && header.field("endian").empty())
    d.info.notices.emplace_back("the header does not state the order of its bytes; little-endian is assumed");
  return d;
}

void readStored(const NrrdDescription& d, const std::string& path, std::span<std::byte> out, const Control& control) {
  const std::size_t share = out.size() / d.files.size();
  for (std::size_t f = 0; f < d.files.size(); ++f)
    readShare({d.files[f], path, behindLines(d.files[f], path, d.start, d.lines), d.skip, d.encoding, d.type},
              out.subspan(f * share, share), control);
  if (d.swapped) swapBytes(out, bytesOf(d.type), control);
}

}  // namespace

VolumeInfo readNrrd(const NrrdHeader& header, const std::string& path, const AllocateVoxels& allocate,
                    const Control& control) {
  NrrdDescription d = describeNrrd(header, path);
  VolumeInfo& info = d.info;
  if (d.encoding == Encoding::Raw && d.files.size() == 1 && d.innermost() && !d.wide())
    info.plain = {d.files[0].string(), d.skip < 0 ? -1 : d.start + d.skip, d.swapped};
  std::vector<std::byte> stored;
  if (d.wide()) {
    // The values decide the type, so they are read first.
    stored.resize(d.bytes());
    readStored(d, path, stored, control);
    info.notices.push_back(takeNarrowest(d.type, stored, info.type));
  }
  std::byte* out = allocate(info);
  if (out == nullptr) return info;
  const std::span<std::byte> voxels(out, static_cast<std::size_t>(claimedBytes(info)));
  if (d.wide()) {
    convert(d.type, stored, info.type, out);
  } else {
    readStored(d, path, voxels, control);
  }
  if (!d.innermost())
    scatter(d.layout, 0, std::vector<std::byte>(voxels.begin(), voxels.end()), bytesOf(info.type), out);
  return info;
}

LocatedVolume locateNrrd(const NrrdHeader& header, const std::string& path) {
  NrrdDescription d = describeNrrd(header, path);
  if (d.wide()) throw notBySlabs(path, "its voxels are 64-bit integers");
  if (d.encoding == Encoding::Text) throw notBySlabs(path, "its voxels are written as text");
  if (d.encoding == Encoding::Gzip && d.skip < 0)
    throw notBySlabs(path, "its voxels are the end of what is compressed");
  if (d.files.size() != 1) throw notBySlabs(path, "its voxels lie in " + std::to_string(d.files.size()) + " files");
  const VolumeShape& shape = d.info.shape;
  StoredVoxels voxels{
      .file = d.files[0].string(), .type = d.type, .swapped = d.swapped, .layout = d.layout, .chosen = allOf(shape)};
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
