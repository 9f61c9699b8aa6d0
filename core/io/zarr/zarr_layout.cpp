#include "core/io/zarr/zarr_layout.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/paths.h"
#include "core/volume/array_view.h"
#include "core/volume/geometry.h"

namespace sscope::io {

using nlohmann::json;

namespace {

constexpr std::int64_t kLargestLevel = 256;  // no level below one whose extents are all at most so many

// As version 2 and version 3 say it, in the order of the element types.
constexpr const char* kSecondTypes[] = {"u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8"};
constexpr const char* kThirdTypes[] = {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"};

// OME's word for our unit; others are kept.
std::string omeUnit(const std::string& unit) {
  constexpr std::pair<std::string_view, const char*> kWords[] = {
      {"pm", "picometer"},  {"nm", "nanometer"}, {"um", "micrometer"}, {"mm", "millimeter"},
      {"cm", "centimeter"}, {"dm", "decimeter"}, {"m", "meter"},       {"km", "kilometer"}};
  for (const auto& [ours, word] : kWords)
    if (unit == ours) return word;
  return unit;
}

json omeAxes(const ZarrLayout& layout) {
  json axes = json::array();
  if (layout.frames > 1) {
    axes.push_back({{"name", "t"}, {"type", "time"}});
    if (layout.options.metadata.frameSeconds > 0) axes.back()["unit"] = "second";
  }
  if (layout.channels > 1) axes.push_back({{"name", "c"}, {"type", "channel"}});
  const Geometry& g = layout.volume.geometry;
  for (std::size_t a = layout.space; a-- > 0;) {
    axes.push_back({{"name", std::string(1, "xyz"[a])}, {"type", "space"}});
    if (!g.unit.empty() && g.steps[a] != StepSource::Assumed) axes.back()["unit"] = omeUnit(g.unit);
  }
  return axes;
}

// Centers of blocks lie between those of their voxels.
json transformations(const ZarrLayout& layout, const ZarrLevel& level) {
  json scale = json::array(), translation = json::array();
  const double seconds = layout.options.metadata.frameSeconds;
  if (layout.frames > 1) scale.push_back(seconds > 0 ? seconds : 1.0);
  if (layout.channels > 1) scale.push_back(1.0);
  for (std::size_t a = 0; a < scale.size(); ++a) translation.push_back(0.0);
  const Geometry& g = layout.volume.geometry;
  for (std::size_t a = layout.space; a-- > 0;) {
    const double times = std::ldexp(1, level.halved[a]);
    scale.push_back(g.spacing[a] * times);
    translation.push_back(g.origin[a] + (layout.options.metadata.labels ? 0 : g.spacing[a] * (times - 1) / 2));
  }
  return {{{"type", "scale"}, {"scale", scale}}, {{"type", "translation"}, {"translation", translation}}};
}

json omeroOf(const ZarrLayout& layout, const std::vector<std::array<double, 2>>& ranges) {
  constexpr const char* kColors[] = {"00FF00", "FF00FF", "00FFFF", "FFFF00", "FF0000", "0000FF"};
  json channels = json::array();
  const auto& names = layout.options.metadata.channels;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto [least, most] = ranges[c];
    channels.push_back({{"label", names[c]},
                        {"color", names.size() == 1 ? "FFFFFF" : kColors[c % std::size(kColors)]},
                        {"active", true},
                        {"window", {{"min", least}, {"max", most}, {"start", least}, {"end", most}}}});
  }
  return {{"channels", channels}, {"rdefs", {{"model", "color"}}}};
}

json omeOf(const ZarrLayout& layout, const std::vector<std::array<double, 2>>& ranges) {
  const bool third = layout.options.zarr3;
  json datasets = json::array();
  for (std::size_t k = 0; k < layout.levels.size(); ++k)
    datasets.push_back(
        {{"path", std::to_string(k)}, {"coordinateTransformations", transformations(layout, layout.levels[k])}});
  const bool labels = layout.options.metadata.labels;
  json image = {
      {"name", layout.name},
      {"axes", omeAxes(layout)},
      {"datasets", datasets},
      {"type", labels ? "nearest" : "mean"},
      {"metadata",
       {{"description", labels ? "the first of 2 voxels along each axis" : "means of 2 voxels along each axis"},
        {"method", "stencilscope"}}}};
  std::string assumed;
  for (std::size_t a = 0; a < 3; ++a)
    if (layout.volume.geometry.steps[a] == StepSource::Assumed) assumed += "xyz"[a];
  if (!assumed.empty()) image["metadata"]["assumed_steps"] = assumed;
  if (json made = json::parse(layout.options.metadata.provenance, nullptr, false); made.is_object())
    image["metadata"]["provenance"] = std::move(made);
  if (const std::string& unit = layout.options.metadata.valueUnit; !unit.empty())
    image["metadata"]["value_unit"] = unit;
  if (layout.options.metadata.inSpace) image["metadata"]["space"] = "LPS";
  if (!third) image["version"] = "0.4";
  json ome = {{"multiscales", {image}}};
  if (third) ome["version"] = "0.5";
  if (labels) ome["image-label"] = {{"version", third ? "0.5" : "0.4"}};
  if (!layout.options.metadata.channels.empty() && ranges.size() == layout.options.metadata.channels.size())
    ome["omero"] = omeroOf(layout, ranges);
  return ome;
}

json secondArrayText(const ZarrLayout& layout, const json& shape, const json& chunk) {
  constexpr bool kBigEndian = std::endian::native == std::endian::big;
  const auto type = static_cast<std::size_t>(layout.volume.type);
  const std::string order = bytesOf(layout.volume.type) == 1 ? "|" : kBigEndian ? ">" : "<";
  json packed;
  switch (layout.packing) {
    case ZarrPacking::none: break;
    case ZarrPacking::blosc:
      packed = {{"id", "blosc"}, {"cname", "zstd"}, {"clevel", 5}, {"shuffle", 1}, {"blocksize", 0}};
      break;
    case ZarrPacking::zstd: packed = {{"id", "zstd"}, {"level", 3}}; break;
    case ZarrPacking::gzip: packed = {{"id", "gzip"}, {"level", 5}}; break;
  }
  return {{"zarr_format", 2},          {"shape", shape}, {"chunks", chunk},   {"dtype", order + kSecondTypes[type]},
          {"fill_value", 0},           {"order", "C"},   {"filters", json()}, {"compressor", packed},
          {"dimension_separator", "/"}};
}

json thirdArrayText(const ZarrLayout& layout, const json& shape, const json& chunk, const json& names) {
  constexpr bool kBigEndian = std::endian::native == std::endian::big;
  const auto type = static_cast<std::size_t>(layout.volume.type);
  const std::size_t bytes = bytesOf(layout.volume.type);
  json codecs = {{{"name", "bytes"}, {"configuration", {{"endian", kBigEndian ? "big" : "little"}}}}};
  switch (layout.packing) {
    case ZarrPacking::none: break;
    case ZarrPacking::blosc:
      codecs.push_back({{"name", "blosc"},
                        {"configuration",
                         {{"cname", "zstd"},
                          {"clevel", 5},
                          {"shuffle", bytes > 1 ? "shuffle" : "noshuffle"},
                          {"typesize", bytes},
                          {"blocksize", 0}}}});
      break;
    case ZarrPacking::zstd:
      codecs.push_back({{"name", "zstd"}, {"configuration", {{"level", 3}, {"checksum", false}}}});
      break;
    case ZarrPacking::gzip: codecs.push_back({{"name", "gzip"}, {"configuration", {{"level", 5}}}}); break;
  }
  return {{"zarr_format", 3},
          {"node_type", "array"},
          {"shape", shape},
          {"data_type", kThirdTypes[type]},
          {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", chunk}}}}},
          {"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "/"}}}}},
          {"fill_value", 0},
          {"codecs", codecs},
          {"dimension_names", names},
          {"attributes", json::object()}};
}

std::int64_t longest(const ZarrLevel& level) { return std::max({level.planes, level.rows, level.columns}); }

}  // namespace

ZarrLevel ZarrLayout::chunkOf(const ZarrLevel& level) const {
  return {
      std::min(chunkPlanes, level.planes), std::min(chunkRows, level.rows), std::min(chunkColumns, level.columns), {}};
}

std::vector<std::int64_t> ZarrLayout::arrayOf(std::int64_t frame, std::int64_t channel, std::int64_t plane,
                                              std::int64_t row, std::int64_t column) const {
  std::vector<std::int64_t> all;
  if (frames > 1) all.push_back(frame);
  if (channels > 1) all.push_back(channel);
  if (space == 3) all.push_back(slowest == 2 ? plane : row);
  // A single row of voxels has its columns as planes.
  all.push_back(slowest == 2 ? row : slowest == 1 ? plane : row);
  all.push_back(slowest == 0 ? plane : column);
  return all;
}

std::string ZarrLayout::chunkKey(std::size_t level, std::int64_t component,
                                 const std::array<std::int64_t, 3>& place) const {
  std::string key = std::to_string(level) + (options.zarr3 ? "/c" : "");
  for (const std::int64_t n : arrayOf(component / channels, component % channels, place[0], place[1], place[2]))
    key += "/" + std::to_string(n);
  return key;
}

ZarrLayout layOutZarr(const std::filesystem::path& path, const VolumeOutline& volume, const WriteOptions& options) {
  ZarrLayout layout;
  layout.volume = volume;
  layout.options = options;
  layout.packing = options.compress ? bestPacking() : ZarrPacking::none;
  layout.name = path.stem().string();
  if (namesStoreFolder(path) && layout.name.ends_with(".ome")) layout.name.resize(layout.name.size() - 4);
  const VolumeShape& s = volume.shape;
  layout.frames =
      options.metadata.frames > 1 && s.components % options.metadata.frames == 0 ? options.metadata.frames : 1;
  layout.channels = s.components / layout.frames;
  layout.slowest = slowestAxis({s.nx, s.ny, s.nz, s.components});
  const Geometry& g = volume.geometry;
  layout.space = s.nz > 1 || g.spacing[2] != 1 || g.origin[2] != 0 ? 3 : 2;
  ZarrLevel level;
  if (layout.slowest == 2) level = {s.nz, s.ny, s.nx, {}};
  if (layout.slowest == 1) level = {s.ny, 1, s.nx, {}};
  if (layout.slowest == 0) level = {s.nx, 1, 1, {}};
  // As cubic as a row of chunks allows, which is held until its last plane is there.
  constexpr std::int64_t kRowBytes = std::int64_t{16} << 20, kCube = 64, kSquare = 256, kLine = 1 << 16;
  const std::int64_t planeBytes = volume.bytes() / level.planes;
  if (layout.slowest == 2) {
    while (layout.chunkPlanes < kCube && 2 * layout.chunkPlanes * planeBytes <= kRowBytes) layout.chunkPlanes *= 2;
    layout.chunkRows = layout.chunkColumns = layout.chunkPlanes * 2 >= kCube   ? kCube
                                             : layout.chunkPlanes * 8 >= kCube ? 2 * kCube
                                                                               : kSquare;
  } else {
    layout.chunkPlanes = layout.slowest == 1 ? kSquare : kLine;
    layout.chunkColumns = kSquare;
  }
  layout.levels.push_back(level);
  while (longest(level) > kLargestLevel) {
    const auto halve = [&](std::int64_t& extent, std::size_t axis) {
      if (extent == 1) return;
      extent = (extent + 1) / 2;
      ++level.halved[axis];
    };
    halve(level.planes, layout.slowest);
    halve(level.rows, 1);
    halve(level.columns, 0);
    layout.levels.push_back(level);
  }
  return layout;
}

std::vector<ZarrText> describeStore(const ZarrLayout& layout, const std::vector<std::array<double, 2>>& ranges) {
  const bool third = layout.options.zarr3;
  const json ome = omeOf(layout, ranges);
  std::vector<ZarrText> texts;
  const auto add = [&](const std::string& key, const json& object) { texts.push_back({key, object.dump(1) + "\n"}); };
  json names = json::array();
  for (const json& axis : omeAxes(layout)) names.push_back(axis.at("name"));
  for (std::size_t k = 0; k < layout.levels.size(); ++k) {
    const ZarrLevel &level = layout.levels[k], chunk = layout.chunkOf(level);
    const json shape = layout.arrayOf(layout.frames, layout.channels, level.planes, level.rows, level.columns),
               chunks = layout.arrayOf(1, 1, chunk.planes, chunk.rows, chunk.columns);
    const std::string folder = std::to_string(k) + "/";
    if (third) {
      add(folder + "zarr.json", thirdArrayText(layout, shape, chunks, names));
    } else {
      add(folder + ".zarray", secondArrayText(layout, shape, chunks));
    }
  }
  // Last: what has no description is no store.
  if (third) {
    add("zarr.json", {{"zarr_format", 3}, {"node_type", "group"}, {"attributes", {{"ome", ome}}}});
  } else {
    add(".zattrs", ome);
    add(".zgroup", {{"zarr_format", 2}});
  }
  return texts;
}

}  // namespace sscope::io
