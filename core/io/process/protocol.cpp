#include "core/io/process/protocol.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/base/words.h"
#include "core/io/base/file_error.h"
#include "core/io/process/reply_json.h"
#include "core/volume/provenance.h"

namespace sscope::io {

using nlohmann::json;

namespace {

constexpr std::size_t kLongestUnit = 64;
constexpr std::size_t kLongestField = 1 << 16, kMostFields = 4096;

// Annotations of a file are passed on unchanged and in full, because they are written again.
json toJson(const Metadata& metadata) {
  json fields = json::array();
  for (const auto& [key, value] : metadata.fields)
    if (key.size() + value.size() <= kLongestField && fields.size() < kMostFields) fields.push_back({key, value});
  json object = {{"frames", metadata.frames},
                 {"frameSeconds", metadata.frameSeconds},
                 {"fields", fields},
                 {"componentKind", metadata.componentKind},
                 {"inSpace", metadata.inSpace},
                 {"channels", metadata.channels},
                 {"labels", metadata.labels},
                 {"valueUnit", shortened(metadata.valueUnit, kLongestUnit)},
                 {"provenance", metadata.provenance}};
  if (metadata.measurementFrame) object["measurementFrame"] = *metadata.measurementFrame;
  return object;
}

Metadata metadataFrom(const json& object, int components) {
  Metadata metadata;
  metadata.frames = wholeOf<int>(object.at("frames"));
  if (metadata.frames < 1 || components % metadata.frames != 0) metadata.frames = 1;
  metadata.frameSeconds = object.at("frameSeconds").get<double>();
  metadata.fields = object.at("fields").get<std::vector<std::pair<std::string, std::string>>>();
  metadata.componentKind = object.at("componentKind").get<std::string>();
  metadata.inSpace = object.at("inSpace").get<bool>();
  metadata.channels = object.at("channels").get<std::vector<std::string>>();
  metadata.labels = object.at("labels").get<bool>();
  metadata.valueUnit = shownText(object.at("valueUnit"));
  metadata.provenance = object.at("provenance").get<std::string>();
  if (metadata.provenance.size() > kLongestProvenance) metadata.provenance.clear();
  if (object.contains("measurementFrame"))
    metadata.measurementFrame = object.at("measurementFrame").get<std::array<double, 9>>();
  return metadata;
}

template <class Enum>
Enum enumFrom(const json& value, Enum last) {
  const int number = wholeOf<int>(value);
  if (number < 0 || number > static_cast<int>(last)) throw std::domain_error("an unknown kind");
  return static_cast<Enum>(number);
}

VolumeInfo infoFrom(const json& object) {
  VolumeInfo info;
  const auto extent = fourOf<std::int64_t>(object.at("shape"));
  double elements = 1;
  for (const std::int64_t n : extent) {
    if (n < 1) throw std::domain_error("an extent that is not positive");
    elements *= static_cast<double>(n);
  }
  if (elements > 0x1p58 || extent[3] > std::numeric_limits<int>::max()) throw std::domain_error("too many elements");
  info.shape = {extent[0], extent[1], extent[2], static_cast<int>(extent[3])};
  info.type = parseElementType(object.at("type").get<std::string>()).value();
  info.geometry.spacing = object.at("spacing").get<std::array<double, 3>>();
  info.geometry.origin = object.at("origin").get<std::array<double, 3>>();
  info.geometry.direction = object.at("direction").get<std::array<double, 9>>();
  for (const double spacing : info.geometry.spacing)
    if (!(spacing > 0)) throw std::domain_error("a spacing that is not positive");
  info.geometry.unit = shownText(object.at("unit"));
  const json& steps = object.at("steps");
  if (!steps.is_array() || steps.size() != 3) throw std::domain_error("not three steps");
  for (std::size_t a = 0; a < 3; ++a) info.geometry.steps[a] = enumFrom(steps[a], StepSource::Assumed);
  info.metadata = metadataFrom(object.at("metadata"), info.shape.components);
  info.fileFrames = std::max(wholeOf<int>(object.at("fileFrames")), info.metadata.frames);
  info.levels = std::max(1, wholeOf<int>(object.at("levels")));
  info.format = shownText(object.at("format"));
  info.notices = noticesOf(object.at("notices"));
  info.modality = shownText(object.at("modality"));
  if (object.contains("window")) {
    const auto window = object.at("window").get<std::array<double, 2>>();
    if (!(window[0] < window[1])) throw std::domain_error("a window without a width");
    info.window = window;
  }
  return info;
}

json toJson(const StoredVoxels& voxels) {
  return {{"file", voxels.file},
          {"offset", voxels.offset},
          {"run", voxels.runBytes},
          {"gap", voxels.gapBytes},
          {"packing", static_cast<int>(voxels.packing)},
          {"skip", voxels.skip},
          {"type", static_cast<int>(voxels.type)},
          {"swapped", voxels.swapped},
          {"scale", {voxels.scale.slope, voxels.scale.intercept}},
          {"frames", voxels.layout.frames},
          {"components", voxels.layout.components},
          {"times", voxels.layout.times},
          {"chosen", {voxels.chosen.first, voxels.chosen.count, voxels.chosen.step}},
          {"symmetric", voxels.symmetric}};
}

std::int64_t within(const json& value, std::int64_t least, std::int64_t most) {
  const auto number = wholeOf<std::int64_t>(value);
  if (number < least || number > most) throw std::domain_error("a number out of its range");
  return number;
}

// All numbers that are used in computations later are checked here: no sum or product of them overflows, and all chosen
// components exist.
StoredVoxels voxelsFrom(const json& object, const VolumeInfo& info) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 60, kMostComponents = std::int64_t{1} << 24;
  StoredVoxels voxels;
  voxels.file = object.at("file").get<std::string>();
  voxels.offset = within(object.at("offset"), -1, kFarthest);
  voxels.packing = enumFrom(object.at("packing"), Packing::Planes);
  voxels.skip = within(object.at("skip"), 0, kFarthest);
  voxels.type = enumFrom(object.at("type"), Stored::f16);
  voxels.swapped = object.at("swapped").get<bool>();
  const auto scale = object.at("scale").get<std::array<double, 2>>();
  voxels.scale = {scale[0], scale[1]};
  FrameLayout& layout = voxels.layout;
  layout = {info.shape.voxels(), within(object.at("frames"), 1, kMostComponents),
            within(object.at("components"), 1, kMostComponents), within(object.at("times"), 1, kMostComponents)};
  const auto components = layout.frames * layout.components;
  if (layout.frames % layout.times != 0 || components > kMostComponents ||
      static_cast<double>(layout.voxels) * static_cast<double>(components) > 0x1p57)
    throw std::domain_error("frames that cannot be");
  voxels.runBytes = within(object.at("run"), 0, kFarthest);
  voxels.gapBytes = within(object.at("gap"), 0, kFarthest);
  const std::int64_t bytes = voxels.bytes(), run = voxels.runBytes;
  if (voxels.gapBytes > 0 &&
      (run < 1 || bytes % run != 0 ||
       static_cast<double>(bytes / run) * static_cast<double>(voxels.gapBytes) > static_cast<double>(kFarthest)))
    throw std::domain_error("gaps that cannot be");
  if (voxels.packing == Packing::Planes && (run < 1 || bytes % run != 0 || voxels.gapBytes > 0))
    throw std::domain_error("planes that cannot be");
  voxels.symmetric = object.at("symmetric").get<bool>();
  if (voxels.symmetric && (layout.frames != 1 || layout.components != 9))
    throw std::domain_error("matrices that cannot be");
  const json& chosen = object.at("chosen");
  if (!chosen.is_array() || chosen.size() != 3) throw std::domain_error("not three numbers");
  voxels.chosen = {within(chosen[0], 0, components - 1), within(chosen[1], 1, components),
                   within(chosen[2], 1, components)};
  const ChosenComponents& c = voxels.chosen;
  if (c.first + (c.count - 1) * c.step >= components || c.count != info.shape.components)
    throw std::domain_error("components that are not there");
  return voxels;
}

}  // namespace

std::vector<std::string> argumentsOf(const Request& request) {
  std::vector<std::string> arguments = {request.kind, request.path};
  if (!request.detail.empty()) arguments.push_back(request.detail);
  return arguments;
}

std::string detailOf(const UnpackedPlanes& planes) {
  return std::to_string(planes.first) + "/" + std::to_string(planes.all);
}

std::optional<UnpackedPlanes> unpackedPlanesOf(const Request& request) {
  UnpackedPlanes planes;
  const char* const begin = request.detail.data();
  const char* const end = begin + request.detail.size();
  const auto first = std::from_chars(begin, end, planes.first);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '/') return std::nullopt;
  const auto all = std::from_chars(first.ptr + 1, end, planes.all);
  if (all.ec != std::errc{} || all.ptr != end || planes.first < 0 || planes.first >= planes.all) return std::nullopt;
  return planes;
}

std::optional<Request> requestOf(const std::vector<std::string>& arguments) {
  if (arguments.size() != 2 && arguments.size() != 3) return std::nullopt;
  Request request{arguments[0], arguments[1], arguments.size() == 3 ? arguments[2] : std::string()};
  // Among requests for volumes, only those for decoded planes have a detail.
  const bool detailed =
      !request.ofVolume() || (request.kind == kUnpackRequest && unpackedPlanesOf(request).has_value());
  if (request.kind.empty() || (arguments.size() == 3 && (request.detail.empty() || !detailed))) return std::nullopt;
  return request;
}

namespace {

json toJson(const VolumeInfo& info) {
  const VolumeShape& s = info.shape;
  json object({{"shape", {s.nx, s.ny, s.nz, s.components}},
               {"type", std::string(toString(info.type))},
               {"spacing", info.geometry.spacing},
               {"origin", info.geometry.origin},
               {"direction", info.geometry.direction},
               {"unit", shortened(info.geometry.unit, kLongestUnit)},
               {"steps", info.geometry.steps},
               {"metadata", toJson(info.metadata)},
               {"fileFrames", info.fileFrames},
               {"levels", info.levels},
               {"format", shortText(info.format)},
               {"notices", shortTexts(info.notices)},
               {"modality", shortText(info.modality)}});
  if (info.window) object["window"] = *info.window;
  return object;
}

}  // namespace

std::string encodeReply(const VolumeInfo& info) { return dumped(toJson(info)); }

std::string encodeReply(const LocatedVolume& located) {
  json object = toJson(located.info);
  object["voxels"] = toJson(located.voxels);
  return dumped(std::move(object));
}

std::string encodeReply(const std::vector<FilePart>& parts) {
  constexpr std::size_t kLongestSelector = 1024, kLongestTitle = 256;
  json list = json::array();
  for (const FilePart& part : parts)
    if (part.selector.size() <= kLongestSelector)  // a cut selector would choose nothing
      list.push_back({{"selector", part.selector},
                      {"title", shortened(part.title, kLongestTitle)},
                      {"extents", part.extents},
                      {"type", part.type},
                      {"usual", part.usual}});
  return dumped({{"parts", list}});
}

std::string encodeReply(const Error& error) { return dumped(errorJson(error)); }

namespace {

std::vector<FilePart> partsFrom(const json& list) {
  std::vector<FilePart> parts;
  for (const json& each : list) {
    FilePart part{each.at("selector").get<std::string>(),
                  shownText(each.at("title")),
                  {},
                  shownText(each.at("type")),
                  each.at("usual").get<bool>()};
    if (part.selector.size() < 2 || printable(part.selector) != part.selector)
      throw std::domain_error("a selector that nobody can type");
    for (const json& extent : each.at("extents")) part.extents.push_back(wholeOf<std::int64_t>(extent));
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

VolumeReply decodeReply(const std::string& text) {
  return decoded<VolumeReply>(text, [](const json& object) -> VolumeReply {
    if (object.contains("error")) return errorFrom(object);
    if (object.contains("parts")) return partsFrom(object.at("parts"));
    VolumeInfo info = infoFrom(object);
    if (!object.contains("voxels")) return info;
    LocatedVolume located;
    located.voxels = voxelsFrom(object.at("voxels"), info);
    located.info = std::move(info);
    return located;
  });
}

bool ofAnotherVersion(const std::string& text) {
  const json object = json::parse(text, nullptr, false);
  return object.is_object() && object.value(kVersionMember, json()) != kProtocolVersion;
}

}  // namespace sscope::io
