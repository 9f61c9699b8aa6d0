#include "ui/views/volume_brick.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/views/auto_window.h"

namespace sscope {

namespace {

// The mean of the finite elements of every block, x fastest.
template <class T>
std::vector<float> blockMeans(const Volume& volume, int component, const std::array<std::int64_t, 3>& block,
                              const std::array<std::int64_t, 3>& size, const Control& control) {
  const VolumeShape& shape = volume.shape();
  const auto elements = volume.elements<T>();
  const std::int64_t components = shape.components;
  const std::int64_t firstComponent = component < 0 ? 0 : std::min<std::int64_t>(component, components - 1);
  const std::int64_t lastComponent = component < 0 ? components : firstComponent + 1;
  std::vector<float> means(static_cast<std::size_t>(size[0] * size[1] * size[2]));
  const auto columns = static_cast<std::size_t>(size[0]);
  std::vector<double> sums(columns);
  std::vector<std::int64_t> counts(columns);
  float* out = means.data();
  for (std::int64_t bz = 0; bz < size[2]; ++bz) {
    control.check();
    for (std::int64_t by = 0; by < size[1]; ++by) {
      std::ranges::fill(sums, 0.0);
      std::ranges::fill(counts, 0);
      for (std::int64_t z = bz * block[2]; z < std::min(shape.nz, (bz + 1) * block[2]); ++z)
        for (std::int64_t y = by * block[1]; y < std::min(shape.ny, (by + 1) * block[1]); ++y) {
          const T* row = elements.data() + (z * shape.ny + y) * shape.nx * components;
          for (std::int64_t bx = 0; bx < size[0]; ++bx) {
            double sum = 0;
            std::int64_t count = 0;
            for (std::int64_t x = bx * block[0]; x < std::min(shape.nx, (bx + 1) * block[0]); ++x)
              for (std::int64_t c = firstComponent; c < lastComponent; ++c) {
                const auto value = static_cast<double>(row[x * components + c]);
                if (!std::isfinite(value)) continue;
                sum += value;
                ++count;
              }
            sums[static_cast<std::size_t>(bx)] += sum;
            counts[static_cast<std::size_t>(bx)] += count;
          }
        }
      for (std::size_t bx = 0; bx < columns; ++bx)
        *out++ = counts[bx] > 0 ? static_cast<float>(sums[bx] / static_cast<double>(counts[bx])) : 0.0F;
    }
  }
  return means;
}

// What scanners write where they saw nothing: one value that fills a good part, far below all others. It would cost the
// rest its levels, and split the background in two.
void dropFilling(std::vector<float>& values) {
  constexpr double kGoodPart = 0.02, kFar = 0.25;
  const double least = static_cast<double>(std::ranges::min(values));
  const double high = percentile(values, 0.999);
  const double near = least + 0.005 * (high - least);
  if (least >= 0 || !(high > least)) return;
  std::vector<float> rest;
  std::ranges::copy_if(values, std::back_inserter(rest), [&](float v) { return static_cast<double>(v) > near; });
  const auto filling = static_cast<double>(values.size() - rest.size());
  if (rest.empty() || filling < kGoodPart * static_cast<double>(values.size())) return;
  const double next = percentile(rest, 0.02);  // blocks at the rim of the filling lie between
  if (next - least > kFar * (high - next)) values = std::move(rest);
}

// Both signs in earnest, and in balance: derivatives and differences. Of values such as a scanner's, with air far below
// zero and bone far above, one side outweighs the other.
bool balanced(const std::vector<float>& values, double low, double high) {
  constexpr double kEarnest = 0.2, kMostTilt = 0.35;
  if (low >= 0 || high <= 0 || std::min(-low, high) <= kEarnest * std::max(-low, high)) return false;
  double sum = 0, magnitudes = 0;
  for (const float value : values) {
    const double inside = std::clamp(static_cast<double>(value), low, high);
    sum += inside;
    magnitudes += std::abs(inside);
  }
  return std::abs(sum) <= kMostTilt * magnitudes;
}

// The outermost thousandth would cost the rest its levels.
void chooseLevels(VolumeBrick& brick, const std::vector<float>& means) {
  std::vector<float> sorted = means;
  dropFilling(sorted);
  brick.low = percentile(sorted, 0.001);
  brick.high = percentile(sorted, 0.999);
  if (!(brick.high > brick.low)) {
    const auto [least, most] = std::ranges::minmax(means);
    brick.low = static_cast<double>(least);
    brick.high = std::max(static_cast<double>(most), brick.low + 1e-6 * std::max(1.0, std::abs(brick.low)));
  }
  brick.isSigned = balanced(means, brick.low, brick.high);
  if (brick.isSigned) {
    brick.high = std::max(-brick.low, brick.high);
    brick.low = -brick.high;
  }
}

}  // namespace

VolumeBrick makeBrick(const Volume& volume, int component, std::int64_t edge, const Control& control,
                      const std::optional<std::array<double, 2>>& window) {
  const VolumeShape& shape = volume.shape();
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  VolumeBrick brick;
  std::array<std::int64_t, 3> block{1, 1, 1};
  for (std::size_t a = 0; a < 3; ++a) {
    block[a] = (extent[a] + edge - 1) / edge;
    brick.size[a] = (extent[a] + block[a] - 1) / block[a];
    brick.spacing[a] = volume.geometry().spacing[a] * static_cast<double>(block[a]);
    brick.origin[a] = volume.geometry().spacing[a] * static_cast<double>(block[a] - 1) / 2;
    brick.reduction = std::max(brick.reduction, block[a]);
  }
  const std::vector<float> means = dispatch(volume.type(), [&](auto tag) {
    return blockMeans<decltype(tag)>(volume, component, block, brick.size, control);
  });

  if (window) {
    brick.low = (*window)[0];
    brick.high = std::max((*window)[1], std::nextafter((*window)[0], 1e300));
  } else {
    chooseLevels(brick, means);
  }
  const auto low = static_cast<float>(brick.low);
  const auto scale = static_cast<float>(255.0 / (brick.high - brick.low));
  brick.values.resize(means.size());
  std::ranges::transform(means, brick.values.begin(), [&](float mean) {
    return static_cast<std::uint8_t>(std::clamp((mean - low) * scale + 0.5F, 0.0F, 255.0F));
  });
  return brick;
}

}  // namespace sscope
