#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "core/io/base/file_error.h"
#include "core/io/base/file_names.h"
#include "core/io/base/header_text.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/nrrd_header.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

using enum Stored;

// All names of the types, separated by commas.
std::optional<Stored> typeNamed(std::string_view name) {
  constexpr std::pair<Stored, std::string_view> kNames[] = {
      {i8, ",signed char,int8,int8_t,"},
      {u8, ",uchar,unsigned char,uint8,uint8_t,"},
      {i16, ",short,short int,signed short,signed short int,int16,int16_t,"},
      {u16, ",ushort,unsigned short,unsigned short int,uint16,uint16_t,"},
      {i32, ",int,signed int,int32,int32_t,"},
      {u32, ",uint,unsigned int,uint32,uint32_t,"},
      {i64, ",longlong,long long,long long int,signed long long,signed long long int,int64,int64_t,"},
      {u64, ",ulonglong,unsigned long long,unsigned long long int,uint64,uint64_t,"},
      {f32, ",float,"},
      {f64, ",double,"}};
  const std::string word = "," + std::string(name) + ",";
  for (const auto& [type, names] : kNames)
    if (!name.empty() && names.find(word) != std::string_view::npos) return type;
  return std::nullopt;
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

// The place behind `lines` lines from `start` on.
std::int64_t behindLines(const fs::path& file, const std::string& shown, std::int64_t start, std::int64_t lines) {
  if (lines <= 0) return start;
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(start);
  for (std::int64_t n = 0; n < lines; ++n)
    if (!stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n') || stream.eof())
      throw damaged(shown, "it has fewer lines than its header skips");
  return static_cast<std::int64_t>(stream.tellg());
}

// The numbers of "pattern first last step", counted first without a sum that could overflow. Empty for invalid ones.
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
    names = header.list;
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

Packing packingOf(const NrrdHeader& header, const std::string& path) {
  const std::string name = header.field("encoding");
  if (name == "raw") return Packing::None;
  if (name == "gzip" || name == "gz") return Packing::Deflate;
  if (name == "text" || name == "txt" || name == "ascii") return Packing::Text;
  throw cannotRead(ErrorKind::Unsupported, path,
                   "its voxels have the encoding \"" + name + "\", which is not supported",
                   "save it with encoding gzip or raw");
}

// Sets the places of the voxels in their files.
void takeFiles(const NrrdHeader& header, const InputFile& input, StoredVoxels& voxels) {
  const std::string& path = input.path();
  const bool attached = header.field("data file").empty();
  const std::int64_t lines = skipOf(header, "line skip", path), skip = skipOf(header, "byte skip", path);
  const std::vector<fs::path> files = dataFilesOf(header, path);
  if (voxels.bytes() / static_cast<std::int64_t>(bytesOf(voxels.type)) % static_cast<std::int64_t>(files.size()) != 0)
    throw damaged(path, "its " + std::to_string(files.size()) + " data files cannot share its voxels evenly");
  const std::int64_t start = attached ? header.dataOffset : 0;
  const auto placeIn = [&](const fs::path& file) -> VoxelFile {
    const std::int64_t begin = behindLines(file, path, start, lines);
    if (voxels.packing == Packing::Deflate) return {file.string(), begin};
    if (skip >= 0 || voxels.packing == Packing::Text) return {file.string(), begin + std::max<std::int64_t>(0, skip)};
    // A skip of -1 counts from the end of the file.
    return {file.string(), attached ? std::max(begin, input.bytes() - voxels.bytes()) : -1};
  };
  const VoxelFile first = placeIn(files.front());
  voxels.file = first.path;
  voxels.offset = first.offset;
  for (std::size_t f = 1; f < files.size(); ++f) voxels.further.push_back(placeIn(files[f]));
  if (voxels.packing == Packing::Deflate) voxels.skip = skip;
}

}  // namespace

std::vector<std::string> nrrdDataNames(const InputFile& file) {
  const NrrdHeader header = parseNrrdHeader(file);
  const std::string name = header.field("data file");
  if (name.starts_with("LIST")) return header.list;
  return name.empty() ? std::vector<std::string>() : std::vector<std::string>{name};
}

LocatedVolume locateNrrd(const InputFile& file) {
  const std::string& path = file.path();
  const NrrdHeader header = parseNrrdHeader(file);
  if (header.field("data file").empty() && header.dataOffset == 0) throw damaged(path, "it ends inside its header");
  const auto type = typeNamed(header.field("type"));
  if (!type)
    throw cannotRead(ErrorKind::Unsupported, path, "its voxels are of the type \"" + header.field("type") + "\"",
                     "save them as integers, float or double");
  LocatedVolume located;
  StoredVoxels& voxels = located.voxels;
  voxels.packing = packingOf(header, path);
  NrrdAxes axes = nrrdAxes(header, path, bytesOf(*type));
  located.info = std::move(axes.info);
  located.info.format = "NRRD";
  takeStored(located, *type, axes.layout.components);
  voxels.layout = axes.layout;
  takeNrrdTexts(located.info);
  takeFiles(header, file, voxels);
  voxels.separators = ",";
  const bool text = voxels.packing == Packing::Text;
  voxels.swapped = !text && (header.field("endian") == "big") != (std::endian::native == std::endian::big);
  if (!text && bytesOf(*type) > 1 && header.field("endian").empty())
    located.info.notices.emplace_back("the header does not state the order of its bytes; little-endian is assumed");
  return located;
}

}  // namespace sscope::io
