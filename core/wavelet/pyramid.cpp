#include "core/wavelet/pyramid.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/wavelet/row_sums.h"

namespace sscope {

namespace {

constexpr const char* kAxisNames[] = {"x", "y", "z"};

// The smallest L with 2^L >= n.
int levelsOf(std::int64_t n) {
  int levels = 0;
  while ((std::int64_t{1} << levels) < n) ++levels;
  return levels;
}

struct Energy {
  double energy = 0;
  std::int64_t zeros = 0;
  Energy& operator+=(const Energy& other) {
    energy += other.energy;
    zeros += other.zeros;
    return *this;
  }
};

PyramidBand bandOf(const Pyramid& pyramid, int level, unsigned high) {
  PyramidBand band;
  band.level = level;
  const auto half = pyramid.extentAt(level);
  for (std::size_t a = 0; a < 3; ++a) {
    if (pyramid.axes[a]) {
      band.high[a] = (high >> a & 1U) != 0;
      band.name += band.high[a] ? "H" : "L";
    }
    band.box.begin[a] = band.high[a] ? half[a] : 0;
    band.box.end[a] = band.box.begin[a] + half[a];
  }
  band.name = (high == 0 ? "L" : band.name) + std::to_string(level);
  return band;
}

}  // namespace

std::array<std::int64_t, 3> Pyramid::extentAt(int level) const {
  std::array<std::int64_t, 3> result = extent;
  for (std::size_t a = 0; a < 3; ++a)
    if (axes[a]) result[a] >>= level;
  return result;
}

std::vector<PyramidBand> Pyramid::bands() const {
  std::vector<PyramidBand> result{bandOf(*this, levels, 0)};
  for (int level = levels; level >= 1; --level)
    for (unsigned high = 1; high < 8; ++high) {
      bool exists = true;
      for (std::size_t a = 0; a < 3; ++a) exists = exists && (axes[a] || (high >> a & 1U) == 0);
      if (exists) result.push_back(bandOf(*this, level, high));
    }
  return result;
}

std::array<bool, 3> transformedAxes(const std::array<std::int64_t, 3>& extent, int dimensions) {
  std::array<bool, 3> axes{};
  for (std::size_t a = 0; a < 3; ++a) axes[a] = extent[a] > 1 && (dimensions == 0 || static_cast<int>(a) < dimensions);
  return axes;
}

int largestLevels(const std::array<std::int64_t, 3>& extent, const std::array<bool, 3>& axes) {
  int largest = kMaximumLevels + 1;
  for (std::size_t a = 0; a < 3; ++a)
    if (axes[a]) largest = std::min(largest, levelsOf(extent[a]));
  return largest > kMaximumLevels ? 0 : largest;
}

Pyramid pyramidFor(const std::array<std::int64_t, 3>& extent, int dimensions, int levels) {
  Pyramid pyramid{extent, transformedAxes(extent, dimensions), levels, extent};
  if (pyramid.dimensions() == 0)
    throw Error(ErrorKind::Usage, "there is no axis longer than one voxel to transform", "choose other data");
  const int largest = largestLevels(extent, pyramid.axes);
  if (levels < 1 || levels > largest) {
    std::string sizes;
    for (std::size_t a = 0; a < 3; ++a)
      if (pyramid.axes[a])
        sizes += (sizes.empty() ? "" : " and ") + std::to_string(extent[a]) + " along " + kAxisNames[a];
    throw Error(ErrorKind::Usage, "data of " + sizes + " have no " + std::to_string(levels) + " levels",
                "the largest number of levels is " + std::to_string(largest));
  }
  const std::int64_t multiple = std::int64_t{1} << levels;
  for (std::size_t a = 0; a < 3; ++a)
    if (pyramid.axes[a]) pyramid.extent[a] = (extent[a] + multiple - 1) / multiple * multiple;
  return pyramid;
}

std::vector<BandEnergy> bandEnergies(const ConstArrayView& coefficients, const Pyramid& pyramid) {
  std::vector<BandEnergy> result;
  double total = 0;
  for (const PyramidBand& band : pyramid.bands()) {
    BandEnergy& entry = result.emplace_back();
    entry.band = band;
    dispatch(coefficients.type, [&](auto tag) {
      const auto* data = coefficients.as<decltype(tag)>();
      const auto sum =
          sumOverRows<Energy>(coefficients, band.box, [&](Energy& part, std::int64_t first, std::int64_t elements) {
            for (std::int64_t i = 0; i < elements; ++i) {
              const auto value = static_cast<double>(data[first + i * coefficients.stride[0]]);
              part.energy += value * value;
              part.zeros += value == 0;
            }
          });
      entry.energy = sum.energy;
      entry.zeros = sum.zeros;
    });
    total += entry.energy;
  }
  for (BandEnergy& entry : result) entry.share = total > 0 ? entry.energy / total : 0;
  return result;
}

}  // namespace sscope
