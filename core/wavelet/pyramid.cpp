#include "core/wavelet/pyramid.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/words.h"
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

std::size_t Pyramid::bandIndex(int level, unsigned high) const {
  if (high == 0) return 0;
  std::size_t among = 0, bit = 1;  // counted along the transformed axes alone
  for (std::size_t a = 0; a < 3; ++a) {
    if (!axes[a]) continue;
    if ((high >> a & 1U) != 0) among += bit;
    bit *= 2;
  }
  return static_cast<std::size_t>(levels - level) * (bit - 1) + among;
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
    std::vector<std::string> sizes;
    for (std::size_t a = 0; a < 3; ++a)
      if (pyramid.axes[a]) sizes.push_back(std::to_string(extent[a]) + " along " + kAxisNames[a]);
    throw Error(ErrorKind::Usage, "data of " + listed(sizes) + " cannot have " + counted(levels, "level"),
                "the largest number of levels is " + std::to_string(largest));
  }
  const std::int64_t multiple = std::int64_t{1} << levels;
  for (std::size_t a = 0; a < 3; ++a)
    if (pyramid.axes[a]) pyramid.extent[a] = (extent[a] + multiple - 1) / multiple * multiple;
  return pyramid;
}

std::vector<BandEnergy> bandEnergies(const ConstArrayView& coefficients, const Pyramid& pyramid,
                                     const Control& control) {
  std::vector<BandEnergy> result;
  dispatch(coefficients.type, [&](auto tag) {
    using T = decltype(tag);
    const T* data = coefficients.as<T>();
    for (const PyramidBand& band : pyramid.bands())
      result.push_back(energyOf<T>(band, coefficients, control, [&](std::int64_t i) { return data[i]; }));
  });
  setShares(result);
  return result;
}

}  // namespace sscope
