#include "core/volume/level_counts.h"

#include <cmath>
#include <cstddef>
#include <numeric>

namespace sscope {

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
