#include "core/io/tiff/tiff_tags.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <unordered_set>

#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {

constexpr std::uint64_t kMostTags = 1U << 16;

// Bytes of a value of each type, by its number.
constexpr std::array<std::uint64_t, 19> kTypeBytes = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};

}  // namespace

TiffTags::TiffTags(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  std::array<char, 4> start{};
  if (!file_.read(start.data(), 4)) return;
  bigEndian_ = start[0] == 'M';
  if (start[bigEndian_ ? 3 : 2] == 43) {
    word_ = counted_ = 8;
    entryBytes_ = 20;
  }
}

std::optional<std::uint64_t> TiffTags::whole(std::uint64_t offset, std::size_t bytes) {
  std::array<unsigned char, 8> raw{};
  if (offset > INT64_MAX / 2) return std::nullopt;
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(offset));
  if (!file_.read(reinterpret_cast<char*>(raw.data()), static_cast<std::streamsize>(bytes))) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{raw[i]} << (8 * (bigEndian_ ? bytes - 1 - i : i));
  return value;
}

std::optional<double> TiffTags::real(std::uint64_t offset) {
  const auto bits = whole(offset, 8);
  if (!bits) return std::nullopt;
  return std::bit_cast<double>(*bits);
}

std::string TiffTags::bytes(std::uint64_t offset, std::size_t count) {
  std::string result(count, '\0');
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(std::min<std::uint64_t>(offset, INT64_MAX)));
  file_.read(result.data(), static_cast<std::streamsize>(count));
  result.resize(static_cast<std::size_t>(file_.gcount()));
  return result;
}

std::string TiffTags::text(std::uint64_t offset, std::size_t bytes) {
  const std::string all = this->bytes(offset, bytes);
  return all.substr(0, all.find('\0'));
}

std::optional<std::uint64_t> TiffTags::firstDirectory() { return whole(word_, word_); }

std::optional<std::uint64_t> TiffTags::entries(std::uint64_t directory) {
  const auto count = whole(directory, counted_);
  return count && *count <= kMostTags ? count : std::nullopt;
}

std::optional<TiffTags::Tag> TiffTags::find(std::uint64_t directory, std::uint64_t name) {
  const std::uint64_t all = entries(directory).value_or(0);
  for (std::uint64_t n = 0; n < all; ++n) {
    const std::uint64_t entry = directory + counted_ + n * entryBytes_;
    if (whole(entry, 2) != name) continue;
    const auto type = whole(entry + 2, 2), count = whole(entry + 4, word_);
    if (!type || !count || *type >= kTypeBytes.size() || *count > INT32_MAX) return std::nullopt;
    const bool inside = *count * kTypeBytes[*type] <= word_;
    const auto at = inside ? entry + 4 + word_ : whole(entry + 4 + word_, word_);
    if (!at) return std::nullopt;
    return Tag{*type, *count, *at};
  }
  return std::nullopt;
}

// Whether what the directory says of the pixels' size is in the file.
bool TiffTags::describesPixels(std::uint64_t directory) {
  constexpr std::uint64_t kImageDescription = 270, kXResolution = 282, kYResolution = 283;
  for (const std::uint64_t name : {kImageDescription, kXResolution, kYResolution}) {
    const auto tag = find(directory, name);
    if (!tag || tag->count == 0 || kTypeBytes[tag->type] == 0) continue;
    if (!whole(tag->at + tag->count * kTypeBytes[tag->type] - 1, 1)) return false;
  }
  return true;
}

void TiffTags::requireChain() {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  std::unordered_set<std::uint64_t> seen;
  auto offset = firstDirectory();
  const auto first = offset;
  for (; offset && *offset != 0 && seen.size() < kMost;) {
    if (!seen.insert(*offset).second)
      throw damaged(path_,
                    "behind the " + std::to_string(seen.size()) + " pages that are there it names one of them again");
    const auto count = entries(*offset);
    const auto next = count ? whole(*offset + counted_ + entryBytes_ * *count, word_) : std::nullopt;
    if (!next) seen.erase(*offset);
    offset = next;
  }
  if (!offset && seen.empty())
    throw damaged(path_, "it is cut off or damaged: the directory of its pages is not in the file");
  if (!offset)
    throw damaged(path_,
                  "it is cut off: it has more pages than the " + std::to_string(seen.size()) + " that are there");
  if (!describesPixels(*first))
    throw damaged(path_,
                  "it is cut off or damaged: the resolution or the description of its pixels is not in the file");
}

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
