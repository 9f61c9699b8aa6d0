#include "ui/views/transfer_function.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace sscope {

namespace {

using Counts = std::array<double, 256>;

Counts countLevels(const VolumeBrick& brick) {
  Counts counts{};
  for (const std::uint8_t level : brick.values) counts[level] += 1;
  return counts;
}

// Otsu 1979: the threshold that separates the levels into two classes with the largest variance between them. Where
// nothing lies between the classes many thresholds do; then halfway between their means, which is Otsu's elsewhere.
double otsuThreshold(const Counts& counts) {
  double total = 0, sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    total += counts[i];
    sum += static_cast<double>(i) * counts[i];
  }
  double below = 0, sumBelow = 0, best = -1, threshold = 127;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    below += counts[i];
    sumBelow += static_cast<double>(i) * counts[i];
    const double above = total - below;
    if (below == 0 || above == 0) continue;
    const double difference = sumBelow / below - (sum - sumBelow) / above;
    const double variance = below * above * difference * difference;
    if (variance <= best) continue;
    best = variance;
    threshold = (sumBelow / below + (sum - sumBelow) / above) / 2;
  }
  return threshold;
}

// The level below which `fraction` of the voxels selected by `counts` lie.
double levelAt(const Counts& counts, double fraction) {
  double total = 0, seen = 0;
  for (const double count : counts) total += count;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    seen += counts[i];
    if (seen >= fraction * total) return static_cast<double>(i);
  }
  return 255;
}

TransferFunction ofBothSigns(const Counts& counts) {
  Counts magnitudes{};
  for (std::size_t i = 0; i < counts.size(); ++i)
    magnitudes[static_cast<std::size_t>(2 * std::abs(static_cast<double>(i) - 127.5))] += counts[i];
  const double start = std::clamp(levelAt(magnitudes, 0.90), 6.0, 200.0) / 2;
  const double full = std::clamp(levelAt(magnitudes, 0.995) / 2, start + 4, 127.5);
  TransferFunction out;
  out.colors = {{0, {0.55, 0.85, 1.0}},
                {127.5 - start, {0.05, 0.35, 0.75}},
                {127.5, {0.5, 0.5, 0.5}},
                {127.5 + start, {0.80, 0.35, 0.02}},
                {255, {1.0, 0.92, 0.65}}};
  out.opacities = {{0, 0.6},           {127.5 - full, 0.4}, {127.5 - start, 0}, {127.5, 0},
                   {127.5 + start, 0}, {127.5 + full, 0.4}, {255, 0.6}};
  return out;
}

TransferFunction ofOneSign(const Counts& counts) {
  const double threshold = otsuThreshold(counts);
  Counts object = counts;
  std::fill(object.begin(), object.begin() + static_cast<std::ptrdiff_t>(threshold), 0.0);
  const double middle = std::clamp(levelAt(object, 0.5), threshold + 6, 248.0);
  const double start = std::max(0.0, threshold - std::min(12.0, 0.35 * threshold));
  TransferFunction out;
  out.colors = {{0, {0.10, 0.08, 0.08}},
                {start, {0.36, 0.22, 0.17}},
                {(threshold + middle) / 2, {0.72, 0.52, 0.40}},
                {middle, {0.90, 0.80, 0.68}},
                {255, {1.0, 0.99, 0.95}}};
  out.opacities = {{0, 0}, {start, 0}, {std::min(threshold + 4, middle - 1), 0.16}, {middle, 0.42}, {255, 0.85}};
  return out;
}

}  // namespace

TransferFunction mappedTransferFunction(ColorMap map) {
  TransferFunction out;
  for (int step = 0; step <= 16; ++step) {
    const QColor color = mapColor(map, step / 16.0);
    out.colors.push_back({255 * step / 16.0, {color.redF(), color.greenF(), color.blueF()}});
  }
  switch (map) {
    case ColorMap::Diverging:
    case ColorMap::CoolWarm:
      out.opacities = {{0, 0.55}, {50, 0.16}, {95, 0}, {160, 0}, {205, 0.16}, {255, 0.55}};
      break;
    case ColorMap::Cyclic:
      out.opacities = {{0, 0.06}, {255, 0.06}};
      out.cyclic = true;
      break;
    default: out.opacities = {{0, 0}, {90, 0}, {150, 0.06}, {205, 0.25}, {255, 0.7}};
  }
  return out;
}

TransferFunction defaultTransferFunction(const VolumeBrick& brick) {
  const Counts counts = countLevels(brick);
  return brick.isSigned ? ofBothSigns(counts) : ofOneSign(counts);
}

}  // namespace sscope
