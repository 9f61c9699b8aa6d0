#include "core/volume/data_kind.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace sscope {

namespace {

constexpr std::array<std::pair<std::string_view, DataKind>, 7> kKindNames{{{"ct", DataKind::Tomography},
                                                                           {"mr", DataKind::Magnetic},
                                                                           {"signed", DataKind::Signed},
                                                                           {"fluorescence", DataKind::Fluorescence},
                                                                           {"mask", DataKind::Mask},
                                                                           {"labels", DataKind::Labels},
                                                                           {"generic", DataKind::Generic}}};

double shareOf(std::span<const double> samples, double from, double to) {
  const auto count = std::ranges::count_if(samples, [&](double value) { return value >= from && value <= to; });
  return static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, samples.size()));
}

bool isUnsigned(ElementType type) {
  return type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32;
}

// The number of different non-negative whole numbers; `most` + 1 if there are more.
std::size_t differentWholes(std::span<const double> samples, std::size_t most) {
  std::set<double> seen;
  for (const double value : samples) {
    if (value < 0 || value != std::floor(value)) return most + 1;
    seen.insert(value);
    if (seen.size() > most) break;
  }
  return seen.size();
}

std::optional<FoundKind> findMask(const KindFacts& facts, double least, double most) {
  constexpr std::size_t kMostLabels = 40;
  constexpr double kBackground = 0.02, kEnds = 0.9;
  if (facts.components != 1 || least != 0 || shareOf(facts.samples, 0, 0) < kBackground) return {};
  if (isInteger(facts.type)) {
    const std::size_t different = differentWholes(facts.samples, kMostLabels);
    if (different == 2) return FoundKind{DataKind::Mask, "only two values, of which one is zero"};
    if (different > 2 && different <= kMostLabels && most <= 255)
      return FoundKind{DataKind::Labels, "only " + std::to_string(different) + " different whole numbers"};
  } else if (most <= 1 && most >= 0.5 && shareOf(facts.samples, 0, 0.05) + shareOf(facts.samples, 0.95, 1) > kEnds) {
    return FoundKind{DataKind::Mask, "values from 0 to 1, nearly all of them at either end"};
  }
  return {};
}

// An extent between a mouse and an adult, with the voxel sizes of body scanners.
bool isOfABody(const KindFacts& facts) {
  if (facts.geometry.unit != "mm") return false;
  double longest = 0;
  for (std::size_t a = 0; a < 3; ++a)
    longest = std::max(longest, facts.geometry.spacing[a] * static_cast<double>(facts.extent[a]));
  return longest >= 15 && longest <= 2500 && *std::ranges::max_element(facts.geometry.spacing) >= 0.1;
}

bool isMicroscopic(const Geometry& geometry) {
  return geometry.unit == "um" || geometry.unit == "nm" || geometry.unit == "µm";
}

std::string percentText(double share) { return std::to_string(std::lround(100 * share)) + " %"; }

FoundKind findOneSided(const KindFacts& facts) {
  // The threshold of an exponentially decaying histogram separates about 2/3 of the variance.
  constexpr double kDark = 0.5, kFewDark = 0.1, kNoModes = 0.82, kMicroscopicDark = 0.25;
  const LevelCounts& levels = facts.levels;
  const double width = levels.high - levels.low;
  const bool aboveZero = levels.low >= -0.05 * width;
  const auto below = [&](double share) { return shareOf(facts.samples, -1e300, levels.low + share * width); };
  const double dark = below(0.15);
  const bool likely = isUnsigned(facts.type) || facts.source == DataKind::Fluorescence;
  if (aboveZero && likely && isMicroscopic(facts.geometry) && below(0.35) >= kMicroscopicDark)
    return {DataKind::Fluorescence, percentText(below(0.35)) + " of the voxels are dark, on a scale of micrometers"};
  if (aboveZero && likely && !isOfABody(facts) && dark >= kDark && otsuSplit(levels).separation < kNoModes)
    return {DataKind::Fluorescence, percentText(dark) + " of the voxels are dark and few are bright"};
  const bool nearZero = std::abs(levels.low) <= 0.05 * width;
  if (nearZero && isOfABody(facts) && dark >= kFewDark && facts.components == 1)
    return {DataKind::Magnetic, percentText(dark) +
                                    " of the voxels are near zero, the others are positive, and the "
                                    "extent is that of a body in millimeters"};
  return {DataKind::Generic, "no other kind of data fits"};
}

}  // namespace

std::string_view toString(DataKind kind) {
  for (const auto& [name, known] : kKindNames)
    if (known == kind) return name;
  return "generic";
}

std::optional<DataKind> parseDataKind(std::string_view name) {
  for (const auto& [known, kind] : kKindNames)
    if (known == name) return kind;
  return {};
}

bool likeHounsfield(std::span<const double> samples) {
  constexpr double kLowest = -3100, kHighest = 32767;
  constexpr double kAir = 0.01, kTissue = 0.02;  // least shares of the samples
  if (samples.empty()) return false;
  const auto [low, high] = std::ranges::minmax(samples);
  if (low < kLowest || high > kHighest) return false;
  const double air = shareOf(samples, -1100, -850);
  return air >= kAir && shareOf(samples, -150, 150) >= kTissue && air > 3 * shareOf(samples, 850, 1100);
}

FoundKind findKind(const KindFacts& facts) {
  if (facts.samples.empty()) return {DataKind::Generic, "there are no finite values"};
  const auto [least, most] = std::ranges::minmax(facts.samples);
  if (!(most > least)) return {DataKind::Generic, "all values are the same"};
  if (auto mask = findMask(facts, least, most)) return *mask;
  // "OT" means other, and "SC" a screen capture.
  const std::string& said = facts.modality;
  const bool unspecific = said.empty() || said == "OT" || said == "SC";
  const bool hounsfield = (unspecific || said == "CT") && facts.components == 1 && !isUnsigned(facts.type) &&
                          facts.type != ElementType::i8 && facts.geometry.unit == "mm" && likeHounsfield(facts.samples);
  if (hounsfield && (!facts.source || facts.source == DataKind::Tomography))
    return {DataKind::Tomography, "air near -1000 and soft tissue near 0, in millimeters"};
  if (facts.isSigned) return {DataKind::Signed, "values of both signs in balance around zero"};
  if (facts.source && least >= -0.05 * (most - least)) {
    if (facts.source == DataKind::Magnetic) return {DataKind::Magnetic, "a positive result of such data"};
    if (facts.source == DataKind::Mask && most <= 1) return {DataKind::Mask, "a result between 0 and 1 of such data"};
  }
  if (said == "CT") {
    if (facts.source) return {DataKind::Generic, "a result of computed tomography"};
    return {DataKind::Generic, "computed tomography, by the file's modality, but not in Hounsfield units"};
  }
  if (said == "MR") return {DataKind::Magnetic, "by the file's modality"};
  const FoundKind found = findOneSided(facts);
  if (!unspecific && found.kind == DataKind::Magnetic) return {DataKind::Generic, "the file's modality is " + said};
  return found;
}

}  // namespace sscope
