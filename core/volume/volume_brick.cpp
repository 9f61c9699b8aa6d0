#include "core/volume/volume_brick.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "core/base/statistics.h"

namespace sscope {

namespace {

// The mean of one block's finite elements; 0 if there are none. For the few blocks with other elements.
template <class T>
float meanOfFinite(const Volume& volume, const BrickBlocks& blocks, std::int64_t bx, std::int64_t by, std::int64_t bz) {
  const VolumeShape& shape = volume.shape();
  const auto elements = volume.elements<T>();
  const auto& [ex, ey, ez] = blocks.edge;
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t z = bz * ez; z < std::min(shape.nz, (bz + 1) * ez); ++z)
    for (std::int64_t y = by * ey; y < std::min(shape.ny, (by + 1) * ey); ++y)
      for (std::int64_t x = bx * ex; x < std::min(shape.nx, (bx + 1) * ex); ++x)
        for (std::int64_t c = blocks.component; c < blocks.component + blocks.componentsTaken; ++c) {
          const auto at = ((z * shape.ny + y) * shape.nx + x) * shape.components + c;
          const auto value = static_cast<double>(elements[static_cast<std::size_t>(at)]);
          if (!std::isfinite(value)) continue;
          sum += value;
          ++count;
        }
  return count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : 0.0F;
}

// A row of blocks: whole rows of voxels are added first, which the compiler vectorizes, without a test per voxel;
// non-finite voxels make the sum non-finite.
template <class T>
void rowOfMeans(const Volume& volume, const BrickBlocks& blocks, std::int64_t by, std::int64_t bz,
                std::vector<double>& columns, float* means) {
  const VolumeShape& shape = volume.shape();
  const auto& [ex, ey, ez] = blocks.edge;
  const std::int64_t zEnd = std::min(shape.nz, (bz + 1) * ez), yEnd = std::min(shape.ny, (by + 1) * ey);
  const bool all = blocks.componentsTaken == shape.components;
  const std::int64_t step = all ? 1 : shape.components;
  const std::int64_t length = all ? shape.nx * shape.components : shape.nx;
  columns.assign(static_cast<std::size_t>(length), 0.0);
  double* const sums = columns.data();
  for (std::int64_t z = bz * ez; z < zEnd; ++z)
    for (std::int64_t y = by * ey; y < yEnd; ++y) {
      const T* row = volume.elements<T>().data() + (z * shape.ny + y) * shape.nx * shape.components;
      if (step == 1) {
        for (std::int64_t i = 0; i < length; ++i) sums[i] += static_cast<double>(row[i]);
      } else {
        row += blocks.component;
        for (std::int64_t i = 0; i < length; ++i) sums[i] += static_cast<double>(row[i * step]);
      }
    }
  const std::int64_t rows = (zEnd - bz * ez) * (yEnd - by * ey);
  const std::int64_t wide = ex * (all ? shape.components : 1);
  for (std::int64_t bx = 0; bx < blocks.count[0]; ++bx) {
    const std::int64_t begin = bx * wide, end = std::min(length, begin + wide);
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i) sum += sums[i];
    means[bx] = std::isfinite(sum) ? static_cast<float>(sum / static_cast<double>(rows * (end - begin)))
                                   : meanOfFinite<T>(volume, blocks, bx, by, bz);
  }
}

template <class T>
std::vector<float> meansOf(const Volume& volume, const BrickBlocks& blocks, const Control& control) {
  constexpr std::int64_t kRowsAtOnce = 8;
  const std::int64_t nx = blocks.count[0], ny = blocks.count[1], nz = blocks.count[2];
  std::vector<float> means(static_cast<std::size_t>(nx * ny * nz));
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, ny * nz, kRowsAtOnce), [&](const auto& rows) {
    control.check();
    std::vector<double> columns;
    for (std::int64_t row = rows.begin(); row < rows.end(); ++row)
      rowOfMeans<T>(volume, blocks, row % ny, row / ny, columns, means.data() + row * nx);
  });
  return means;
}

// A sample of the means for the choice of levels: every n-th, about 65,535 at most.
std::vector<float> sampled(const std::vector<float>& means) {
  constexpr std::size_t kSamples = 1U << 16;
  const std::size_t step = means.size() <= kSamples ? 1 : (means.size() / kSamples) | 1;
  std::vector<float> samples;
  samples.reserve(means.size() / step + 1);
  for (std::size_t i = 0; i < means.size(); i += step) samples.push_back(means[i]);
  return samples;
}

// The filling that scanners write outside their field of view: one frequent value far below all others. It would take
// levels from the rest, and split the background in two.
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
  const double next = percentile(rest, 0.02);  // blocks at the rim of the filling have values between
  if (next - least > kFar * (high - next)) values = std::move(rest);
}

// Balanced values of both signs: derivatives and differences. In scanner data, with air far below zero and bone far
// above, one side outweighs the other.
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

// The outermost thousandth of the values is clipped, so that the rest gets more levels.
void chooseLevels(VolumeBrick& brick, const std::vector<float>& means) {
  const std::vector<float> samples = sampled(means);
  std::vector<float> sorted = samples;
  dropFilling(sorted);
  brick.low = percentile(sorted, 0.001);
  brick.high = percentile(sorted, 0.999);
  if (!(brick.high > brick.low)) {
    const auto [least, most] = std::ranges::minmax(means);
    brick.low = static_cast<double>(least);
    brick.high = std::max(static_cast<double>(most), brick.low + 1e-6 * std::max(1.0, std::abs(brick.low)));
  }
  brick.isSigned = balanced(samples, brick.low, brick.high);
  if (brick.isSigned) {
    brick.high = std::max(-brick.low, brick.high);
    brick.low = -brick.high;
  }
}

}  // namespace

BrickBlocks brickBlocks(const ArraySpec& spec, int component, std::int64_t edge) {
  BrickBlocks blocks;
  for (std::size_t a = 0; a < 3; ++a) {
    blocks.edge[a] = (spec.extent[a] + edge - 1) / edge;
    blocks.count[a] = (spec.extent[a] + blocks.edge[a] - 1) / blocks.edge[a];
  }
  blocks.component = component < 0 ? 0 : std::min<std::int64_t>(component, spec.extent[3] - 1);
  blocks.componentsTaken = component < 0 ? spec.extent[3] : 1;
  return blocks;
}

std::vector<float> blockMeans(const Volume& volume, const BrickBlocks& blocks, const Control& control) {
  return dispatch(volume.type(), [&](auto tag) { return meansOf<decltype(tag)>(volume, blocks, control); });
}

VolumeBrick brickOf(const BrickBlocks& blocks, const std::vector<float>& means, const Geometry& geometry,
                    const std::optional<std::array<double, 2>>& window) {
  VolumeBrick brick;
  brick.size = blocks.count;
  for (std::size_t a = 0; a < 3; ++a) {
    brick.spacing[a] = geometry.spacing[a] * static_cast<double>(blocks.edge[a]);
    brick.origin[a] = geometry.spacing[a] * static_cast<double>(blocks.edge[a] - 1) / 2;
    brick.reduction = std::max(brick.reduction, blocks.edge[a]);
  }
  if (window) {
    brick.low = (*window)[0];
    brick.high = std::max((*window)[1], std::nextafter((*window)[0], 1e300));
  } else {
    chooseLevels(brick, means);
  }
  const auto low = static_cast<float>(brick.low);
  const auto scale = static_cast<float>(255.0 / (brick.high - brick.low));
  brick.values.resize(means.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, means.size(), 1U << 16), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i)
      brick.values[i] = static_cast<std::uint8_t>(std::clamp((means[i] - low) * scale + 0.5F, 0.0F, 255.0F));
  });
  return brick;
}

VolumeBrick makeBrick(const Volume& volume, int component, std::int64_t edge, const Control& control,
                      const std::optional<std::array<double, 2>>& window) {
  const BrickBlocks blocks = brickBlocks(volume.spec(), component, edge);
  return brickOf(blocks, blockMeans(volume, blocks, control), volume.geometry(), window);
}

std::int64_t LevelCounts::total() const { return std::reduce(counts.begin(), counts.end(), std::int64_t{0}); }

LevelCounts countLevels(const VolumeBrick& brick) {
  LevelCounts levels;
  levels.low = brick.low;
  levels.high = brick.high;
  for (const std::uint8_t level : brick.values) ++levels.counts[level];
  return levels;
}

LevelSplit otsuSplit(const LevelCounts& levels) {
  double total = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < levels.counts.size(); ++i) {
    const auto count = static_cast<double>(levels.counts[i]), level = static_cast<double>(i);
    total += count;
    sum += level * count;
    squares += level * level * count;
  }
  LevelSplit split;
  double below = 0, sumBelow = 0, best = -1;
  for (std::size_t i = 0; i < levels.counts.size(); ++i) {
    const auto count = static_cast<double>(levels.counts[i]);
    below += count;
    sumBelow += static_cast<double>(i) * count;
    const double above = total - below;
    if (below == 0 || above == 0) continue;
    const double difference = sumBelow / below - (sum - sumBelow) / above;
    const double variance = below * above * difference * difference;
    if (variance <= best) continue;
    best = variance;
    split.level = (sumBelow / below + (sum - sumBelow) / above) / 2;
  }
  const double whole = total * squares - sum * sum;  // total^2 times the variance
  if (best > 0 && whole > 0) split.separation = best / whole;
  return split;
}

double levelBelow(const LevelCounts& levels, double fraction, double from) {
  const auto first = static_cast<std::size_t>(std::ceil(std::fmax(from, 0)));
  double total = 0, seen = 0;
  for (std::size_t i = first; i < levels.counts.size(); ++i) total += static_cast<double>(levels.counts[i]);
  if (total == 0) return 255;
  for (std::size_t i = first; i < levels.counts.size(); ++i) {
    seen += static_cast<double>(levels.counts[i]);
    if (seen >= fraction * total) return static_cast<double>(i);
  }
  return 255;
}

double distanceBelow(const LevelCounts& levels, double fraction) {
  LevelCounts distances;
  for (std::size_t i = 0; i < levels.counts.size(); ++i)
    distances.counts[static_cast<std::size_t>(2 * std::abs(static_cast<double>(i) - 127.5))] += levels.counts[i];
  return levelBelow(distances, fraction) / 2;
}

}  // namespace sscope
