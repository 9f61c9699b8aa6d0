#include "core/io/native/raw_json.h"

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/file_names.h"
#include "core/volume/meaning.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kSchema = "stencilscope.volume/1";
constexpr std::uintmax_t kLargestHeader = 1 << 20;

[[noreturn]] void badHeader(const std::string& path, const std::string& why) {
  throw cannotRead(ErrorKind::BadData, path, why, "see docs/manual/file-formats.md for the raw+json format");
}

// The remedy for a missing description: a header of another format beside the data, if there is one.
std::string remedyWithout(fs::path header) {
  std::error_code code;
  for (const char* extension : {".nhdr", ".mhd"})
    if (fs::exists(header.replace_extension(extension), code))
      return "open " + header.filename().string() + " instead, the header beside it";
  return "describe the layout of its voxels, with --raw 512x512x300,u16 for example, or write one as "
         "docs/manual/file-formats.md "
         "describes";
}

json parseHeader(const std::string& path, const fs::path& header) {
  std::error_code code;
  if (!fs::exists(header, code))
    throw cannotRead(ErrorKind::NotFound, path, "its description " + header.filename().string() + " is missing",
                     remedyWithout(header));
  if (fs::file_size(header, code) > kLargestHeader || code) badHeader(path, "its description is too long");
  json object;
  try {
    object = parseJson(readTextFile(header, kLargestHeader));
  } catch (const json::exception&) {
    // It is no object, which is reported below.
  } catch (const Error& error) {
    throw cannotRead(error.kind(), path, "its description " + header.filename().string() + ": " + error.what(), {});
  }
  if (!object.is_object()) badHeader(path, header.filename().string() + " is not a JSON object");
  const std::string schema = object.contains("schema") && object["schema"].is_string() ? object["schema"] : "";
  if (schema.starts_with("stencilscope.") && schema != kSchema)
    throw cannotRead(ErrorKind::Unsupported, path, "it holds a " + schema + ", not a volume",
                     schema.starts_with("stencilscope.capsule")
                         ? "add it in the Compare room, or name it to `sscope compare`"
                         : "name a volume");
  if (schema != kSchema) badHeader(path, "its \"schema\" is not \"" + std::string(kSchema) + "\"");
  return object;
}

template <std::size_t N>
std::array<double, N> numbers(const json& object, const char* key, const std::array<double, N>& fallback,
                              const std::string& path) {
  if (!object.contains(key)) return fallback;
  const json& list = object[key];
  if (!list.is_array() || list.size() != N)
    badHeader(path, "\"" + std::string(key) + "\" must hold " + std::to_string(N) + " numbers");
  std::array<double, N> result{};
  for (std::size_t i = 0; i < N; ++i) {
    if (!list[i].is_number()) badHeader(path, "\"" + std::string(key) + "\" must hold numbers");
    result[i] = list[i].get<double>();
  }
  return result;
}

std::string text(const json& object, const char* key, const std::string& fallback, const std::string& path) {
  if (!object.contains(key)) return fallback;
  if (!object[key].is_string()) badHeader(path, "\"" + std::string(key) + "\" must be a string");
  return object[key];
}

VolumeInfo infoOf(const json& object, const std::string& path) {
  VolumeInfo info;
  const auto size = numbers<3>(object, "size", {0, 0, 0}, path);
  const double components =
      numbers<1>({{"components", {object.value("components", json(1))}}}, "components", {1}, path)[0];
  constexpr double kLargest = 0x1p40;
  for (const double extent : {size[0], size[1], size[2], components})
    if (!(extent >= 1) || extent > kLargest || extent != std::floor(extent))
      badHeader(path, "\"size\" and \"components\" must hold whole numbers of at least 1");
  if (components > 1 << 24) badHeader(path, "it claims too many components");
  info.shape = {static_cast<std::int64_t>(size[0]), static_cast<std::int64_t>(size[1]),
                static_cast<std::int64_t>(size[2]), static_cast<int>(components)};
  const auto type = parseElementType(text(object, "type", "", path));
  if (!type) badHeader(path, "\"type\" must be one of u8 i8 u16 i16 u32 i32 f32 f64");
  info.type = *type;
  const Geometry plain;
  info.geometry.spacing = numbers<3>(object, "spacing", plain.spacing, path);
  info.geometry.origin = numbers<3>(object, "origin", plain.origin, path);
  info.geometry.direction = numbers<9>(object, "direction", plain.direction, path);
  info.geometry.unit = text(object, "unit", "", path);
  const std::string assumed = text(object, "assumed", object.contains("spacing") ? "" : "xyz", path);
  for (std::size_t a = 0; a < 3; ++a)
    if (assumed.find("xyz"[a]) != std::string::npos) info.geometry.steps[a] = StepSource::Assumed;
  info.format = "raw + JSON";
  if (const auto meaning = object.find("meaning"); meaning != object.end()) takeMeaning(meaning->dump(), info);
  if (const auto made = object.find("provenance"); made != object.end()) takeProvenance(made->dump(), info);
  repairGeometry(info);
  return info;
}

}  // namespace

RawPair rawPairOf(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".raw" || extension == ".RAW") {
    fs::path beside = path;
    beside += ".json";
    std::error_code code;
    fs::path header = fs::path(path).replace_extension(".json");
    if (!fs::exists(header, code) && fs::exists(beside, code)) header = beside;
    return {header, path};
  }
  fs::path data = fs::path(path).replace_extension();
  if (data.extension() != ".raw") data += ".raw";
  return {path, data};
}

std::vector<fs::path> rawJsonFiles(const fs::path& path) {
  const RawPair pair = rawPairOf(path);
  const json object = parseHeader(path.string(), pair.header);
  return {pair.header, pair.header.parent_path() / text(object, "data", pair.data.filename().string(), path.string())};
}

namespace {

struct RawDescription {
  VolumeInfo info;
  std::string name;  // of the data file
  fs::path data;
  bool swapped = false;
};

RawDescription describeRaw(const std::string& path) {
  const RawPair pair = rawPairOf(path);
  const json object = parseHeader(path, pair.header);
  RawDescription d;
  d.info = infoOf(object, path);
  const std::string order = text(object, "byteOrder", "little", path);
  if (order != "little" && order != "big") badHeader(path, "\"byteOrder\" must be little or big");
  d.name = text(object, "data", pair.data.filename().string(), path);
  requireDataInside(pair.header.string(), d.name);
  requireMemory(path, claimedBytes(d.info), 0);
  d.data = pair.header.parent_path() / d.name;
  d.swapped = (order == "big") != (std::endian::native == std::endian::big);
  return d;
}

}  // namespace

LocatedVolume locateRawJson(const std::string& path) {
  RawDescription d = describeRaw(path);
  LocatedVolume located;
  located.info = std::move(d.info);
  takeStored(located, storedAs(located.info.type), located.info.shape.components);
  located.voxels.file = d.data.string();
  located.voxels.swapped = d.swapped;
  std::error_code code;
  const auto there = fs::file_size(d.data, code);
  if (!code && there > static_cast<std::uintmax_t>(located.voxels.bytes()))
    located.info.notices.push_back(d.name + " is longer than its description states; the rest is ignored");
  return located;
}

LocatedVolume locateRawLayout(const std::string& path, const RawLayout& layout) {
  LocatedVolume located;
  VolumeInfo& info = located.info;
  info.shape = {layout.extent[0], layout.extent[1], layout.extent[2], layout.components};
  info.type = layout.type;
  info.geometry.unit = "";
  info.metadata.inSpace = false;
  info.geometry.steps.fill(StepSource::Assumed);
  info.format = "raw";
  requireMemory(path, claimedBytes(info), 0);
  const std::int64_t there = sizeOfFile(path, path);
  requireBytes(layout, printable(path), there);
  const std::int64_t wanted = layout.offset + static_cast<std::int64_t>(layout.bytes());
  if (there > wanted) info.notices.push_back(std::to_string(there - wanted) + " bytes behind the voxels were left out");
  takeStored(located, storedAs(layout.type), layout.components);
  located.voxels.file = path;
  located.voxels.offset = layout.offset;
  located.voxels.swapped = layout.bigEndian == (std::endian::native == std::endian::little);
  return located;
}

std::string formatRawHeader(const VolumeOutline& volume, const Metadata& metadata, const std::string& dataFile) {
  const VolumeShape& s = volume.shape;
  const Geometry& g = volume.geometry;
  json object = {{"schema", kSchema},
                 {"size", {s.nx, s.ny, s.nz}},
                 {"components", s.components},
                 {"type", std::string(toString(volume.type))},
                 {"byteOrder", std::endian::native == std::endian::little ? "little" : "big"},
                 {"spacing", g.spacing},
                 {"origin", g.origin},
                 {"direction", g.direction},
                 {"unit", g.unit},
                 {"data", dataFile}};
  std::string assumed;
  for (std::size_t a = 0; a < 3; ++a)
    if (g.steps[a] == StepSource::Assumed) assumed += "xyz"[a];
  if (!assumed.empty()) object["assumed"] = assumed;
  if (json meaning = json::parse(meaningText(metadata), nullptr, false); meaning.is_object())
    object["meaning"] = std::move(meaning);
  if (json made = json::parse(metadata.provenance, nullptr, false); made.is_object())
    object["provenance"] = std::move(made);
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace sscope::io
