#include "gpu/filter/context.h"

#include <utility>

#include "core/volume/element_type.h"
#include "gpu/device/device.h"

namespace sscope {

std::vector<std::int32_t> placesOf(const Range& outputs, std::int64_t taps, std::int64_t anchor, std::int64_t extent,
                                   Boundary boundary, std::int64_t origin, std::int64_t extra) {
  std::vector<std::int32_t> places;
  for (std::int64_t i = outputs.begin - anchor; i < outputs.end - anchor + taps - 1; ++i) {
    const std::int64_t at = boundaryIndex(i, extent, boundary);
    places.push_back(static_cast<std::int32_t>(at < 0 ? -1 : at - origin));
  }
  places.insert(places.end(), static_cast<std::size_t>(extra), places.back());
  return places;
}

std::vector<std::int32_t> placesInTile(std::vector<std::int32_t> slices, const FilterTile& tile) {
  for (std::int32_t& place : slices)
    if (place >= 0) place = tile.place[static_cast<std::size_t>(place)];
  return slices;
}

void markSlices(const Range& outputs, std::int64_t taps, std::int64_t anchor, Boundary boundary,
                std::vector<bool>& needed) {
  const auto extent = static_cast<std::int64_t>(needed.size());
  for (std::int64_t i = outputs.begin - anchor; i < outputs.end - anchor + taps - 1; ++i)
    if (const std::int64_t at = boundaryIndex(i, extent, boundary); at >= 0)
      needed[static_cast<std::size_t>(at)] = true;
}

std::unique_ptr<DeviceBuffer> makeTable(Device& device, std::span<const std::int32_t> values, const Control& control) {
  OwnBuffer table;
  putTable(device, table, values, control);
  return table;
}

namespace {

void put(Device& device, OwnBuffer& table, std::span<const std::byte> bytes, const Control& control) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (!table || table->bytes() < size) table = device.allocate(size);
  waitFor(*device.write(*table, 0, bytes), control);
}

}  // namespace

void putTable(Device& device, OwnBuffer& table, std::span<const std::int32_t> values, const Control& control) {
  put(device, table, std::as_bytes(values), control);
}

void TileTable::put(Device& device, std::vector<std::int32_t> values, const Control& control) {
  if (buffer_ && values == values_) return;
  values_.clear();
  putTable(device, buffer_, values, control);
  values_ = std::move(values);
}

void putTaps(Device& device, OwnBuffer& table, std::span<const double> taps, Precision precision,
             const Control& control) {
  if (precision == Precision::f64) return put(device, table, std::as_bytes(taps), control);
  const std::vector<float> narrow(taps.begin(), taps.end());
  put(device, table, std::as_bytes(std::span(narrow)), control);
}

std::vector<std::byte> bytesOfTaps(std::span<const double> taps, Precision precision) {
  const std::vector<float> narrow(taps.begin(), taps.end());
  const auto bytes = precision == Precision::f64 ? std::as_bytes(taps) : std::as_bytes(std::span(narrow));
  return {bytes.begin(), bytes.end()};
}

std::unique_ptr<DeviceBuffer> makeTaps(Device& device, std::span<const double> taps, Precision precision,
                                       const Control& control) {
  OwnBuffer table;
  putTaps(device, table, taps, precision, control);
  return table;
}

StageArgument realArgument(double value, Precision precision) {
  if (precision == Precision::f64) return value;
  return static_cast<float>(value);
}

void defineStore(KernelSource& source, ElementType output, bool accumulate, bool padded) {
  source.extra.emplace_back("filter_store.h");
  const bool integer = isInteger(output);
  source.define("OUT", std::string(toString(output)));
  source.define("OUT_INTEGER", integer ? 1 : 0);
  source.define("OUT_IS_REAL",
                output == (source.precision == Precision::f32 ? ElementType::f32 : ElementType::f64) ? 1 : 0);
  if (integer) {
    source.define("OUT_LOW", kernelLiteral(lowestOf(output), Precision::f64));
    source.define("OUT_HIGH", kernelLiteral(highestOf(output), Precision::f64));
    source.define("ROUNDING_OFFSET", kernelLiteral(0.5 + kTieBand, Precision::f64));
  }
  source.define("ACCUMULATE", accumulate ? 1 : 0);
  source.define("PADDED", padded ? 1 : 0);
}

std::string tapsSpace(const DeviceProperties& device, std::int64_t taps, Precision precision) {
  return taps * (precision == Precision::f32 ? 4 : 8) <= device.constantBytes ? "CONSTANT" : "GLOBAL";
}

}  // namespace sscope
