#include "gpu/filter/long_pass.h"

#include <algorithm>

namespace sscope {

namespace {

constexpr std::int64_t kItems = 256;  // that a group may have
// Of a group along x. Measured on an H100 with 65 taps: 256 items and 256 outputs along x take 1.08 times as long, 512
// outputs 1.3 times.
constexpr std::int64_t kRowItems = 128, kMostSpans = 16;
constexpr std::int64_t kMostRows = 32;

bool manyRegisters(const DeviceProperties& device) { return !device.cpu && device.largestGroup >= kItems; }

// At least as many, at whole vectors, and such that lines begin in different banks.
std::int64_t pitchFor(std::int64_t elements) {
  const std::int64_t pitch = (elements + 3) / 4 * 4;
  return pitch % 8 == 0 ? pitch + 4 : pitch;
}

}  // namespace

std::optional<LongLines> longLines(const DeviceProperties& device, Precision precision, std::int64_t rowMultiple) {
  if (!manyRegisters(device)) return {};
  LongLines lines;
  const int widest = precision == Precision::f64 ? 2 : 4;
  if (rowMultiple % widest == 0) {
    lines.vector = widest;
    lines.aligned = true;
  }
  return lines;
}

std::optional<LongRows> longRows(const DeviceProperties& device, Precision precision, std::int64_t components,
                                 std::int64_t width, std::int64_t taps) {
  if (!manyRegisters(device) || components > kItems / 8) return {};
  const std::int64_t word = precision == Precision::f64 ? 8 : 4;
  LongRows r;
  const std::int64_t spans = std::clamp<std::int64_t>((width + LongRows::kSpan - 1) / LongRows::kSpan, 1,
                                                      std::max<std::int64_t>(1, kMostSpans / components));
  r.tx = spans * LongRows::kSpan;
  r.pitch = pitchFor(r.tx + taps + 4);
  const std::int64_t most =
      device.largestDynamicLocal > 0 ? std::min(device.localBytes, device.largestDynamicLocal) : device.localBytes;
  for (r.rows = std::clamp<std::int64_t>(kRowItems / (spans * components), 1, kMostRows); r.rows >= 1; r.rows /= 2) {
    r.localBytes = r.rows * components * r.pitch * word;
    if (r.localBytes <= most) break;
  }
  if (r.rows < 1) return {};
  r.items = (r.rows * components * spans + 31) / 32 * 32;
  return r;
}

}  // namespace sscope
