#include "core/io/tiff/tiff_microscopes.h"

#include <algorithm>
#include <cmath>

namespace sscope::io {

namespace {

constexpr std::uint64_t kMostPlanes = std::uint64_t{1} << 20;

}  // namespace

std::optional<MicroscopeTags> readLsm(TiffTags& tags, std::uint64_t directory) {
  constexpr std::uint64_t kLsmInfo = 34412;
  // Places in the structure of the tag.
  constexpr std::uint64_t kSlices = 16, kTimes = 24, kVoxel = 40, kScan = 88, kInterval = 112, kBytes = 120;
  const auto tag = tags.find(directory, kLsmInfo);
  if (!tag || tag->count < kBytes) return std::nullopt;
  const auto magic = tags.whole(tag->at, 4);
  if (magic != 0x0400494cU && magic != 0x0300494cU) return std::nullopt;
  const auto extent = [&](std::uint64_t place) {
    return static_cast<std::int64_t>(
        std::clamp<std::uint64_t>(tags.whole(tag->at + place, 4).value_or(1), 1, kMostPlanes));
  };
  MicroscopeTags result;
  result.order.axes = {{'Z', extent(kSlices)}, {'T', extent(kTimes)}};
  // In meters. A scan of another kind than x, y and z, or times of these, has other steps.
  constexpr std::uint64_t kPlane = 3, kTimesOfStacks = 6;
  const std::uint64_t scan = tags.whole(tag->at + kScan, 2).value_or(0);
  if (scan == 0 || scan == kPlane || scan == kTimesOfStacks)
    for (std::size_t a = 0; a < 3; ++a)
      result.calibration.set(a, 1e6 * tags.real(tag->at + kVoxel + 8 * a).value_or(0), "um");
  const double seconds = tags.real(tag->at + kInterval).value_or(0);
  if (std::isfinite(seconds) && seconds > 0) result.calibration.frameSeconds = seconds;
  return result;
}

std::optional<MicroscopeTags> readStk(TiffTags& tags, std::uint64_t directory) {
  constexpr std::uint64_t kUic1 = 33628, kUic2 = 33629, kLong = 4;
  const auto planes = tags.find(directory, kUic2);
  if (!planes || planes->count < 1 || planes->count > kMostPlanes) return std::nullopt;
  MicroscopeTags result;
  TiffCalibration& calibration = result.calibration;
  const auto fraction = [&](std::uint64_t at) {
    const auto numerator = tags.whole(at, 4), denominator = tags.whole(at + 4, 4);
    return numerator && denominator && *denominator > 0
               ? static_cast<double>(*numerator) / static_cast<double>(*denominator)
               : 0.0;
  };
  // Pairs of a number and a value, or the place of one that is longer.
  constexpr std::uint64_t kXCalibration = 4, kYCalibration = 5, kCalibrationUnits = 6;
  std::string unit;
  double x = 0, y = 0;
  if (const auto pairs = tags.find(directory, kUic1); pairs && pairs->type == kLong && pairs->count > 1)
    for (std::uint64_t n = 0; n < std::min<std::uint64_t>(pairs->count, 256); ++n) {
      const auto id = tags.whole(pairs->at + 8 * n, 4), at = tags.whole(pairs->at + 8 * n + 4, 4);
      if (!id || !at || *at < 8) continue;
      if (*id == kXCalibration) x = fraction(*at);
      if (*id == kYCalibration) y = fraction(*at);
      if (*id == kCalibrationUnits)
        unit = tiffText(tags.text(*at + 4, std::min<std::uint64_t>(tags.whole(*at, 4).value_or(0), 64)));
    }
  calibration.set(0, x, unit);
  calibration.set(1, y, unit);
  // Of each plane: its distance along z as a fraction, then day and millisecond of its creation and of its change. The
  // distance is that to the plane before it, or from the first one.
  const auto place = [&](std::uint64_t n) { return fraction(planes->at + 24 * n); };
  const auto moment = [&](std::uint64_t n) {
    return static_cast<double>(tags.whole(planes->at + 24 * n + 8, 4).value_or(0)) * 86400 +
           static_cast<double>(tags.whole(planes->at + 24 * n + 12, 4).value_or(0)) / 1000;
  };
  const std::uint64_t count = planes->count;
  const double gap = count > 1 ? place(1) - place(0) : 0;
  bool equal = true, even = true, later = count > 1;
  for (std::uint64_t n = 1; n < count; ++n) {
    equal = equal && place(n) == place(0);
    even = even && std::abs(place(n) - place(n - 1) - gap) <= 1e-6 * std::abs(gap);
    later = later && moment(n) > moment(n - 1);
  }
  const bool times = equal && place(0) == 0 && later;
  if (equal) {
    calibration.set(2, place(0), unit);
  } else if (even) {
    calibration.set(2, std::abs(gap), unit);
  }
  if (times) calibration.frameSeconds = (moment(count - 1) - moment(0)) / static_cast<double>(count - 1);
  result.order.axes = {{times ? 'T' : 'Z', static_cast<std::int64_t>(count)}};
  return result;
}

}  // namespace sscope::io
