#include "ui/views/display_means.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

namespace sscope {

namespace {

// As many slices as lie in one layer of blocks, one layer after the other.
void forEachLayer(ResidentArray& array, const BrickBlocks& blocks, const Control& control,
                  const std::function<void(Volume&)>& take) {
  const ArraySpec& spec = array.spec();
  for (std::int64_t layer = 0; layer < blocks.count[2]; ++layer) {
    control.check();
    Box box = wholeBox(spec);
    box.begin[2] = layer * blocks.edge[2];
    box.end[2] = std::min(spec.extent[2], box.begin[2] + blocks.edge[2]);
    Volume slices({box.size(0), box.size(1), box.size(2), static_cast<int>(spec.extent[3])}, spec.type);
    const BoxCopy copy{box, slices.view()};
    array.read({&copy, 1}, control);
    take(slices);
  }
}

double largestMagnitude(ResidentArray& array, const BrickBlocks& blocks, const Control& control) {
  double most = 0;
  forEachLayer(array, blocks, control, [&most](Volume& slices) {
    for (const double value : slices.elements<double>())
      if (std::isfinite(value)) most = std::max(most, std::abs(value));
  });
  return most;
}

// A 255th of the range and 255 times it are numbers as well.
bool suitsFloats(double magnitude) {
  constexpr double kMost = 1e30, kLeast = 1e-30;
  return magnitude <= kMost && magnitude >= kLeast;
}

// What is not finite in them counts as the largest.
double largestMagnitude(std::span<const float> means) {
  float most = 0;
  for (const float mean : means)
    most = std::max(most, std::isfinite(mean) ? std::abs(mean) : std::numeric_limits<float>::infinity());
  return static_cast<double>(most);
}

}  // namespace

double displayScale(double largestMagnitude) {
  if (suitsFloats(largestMagnitude) || !(largestMagnitude > 0)) return 1;
  int exponent = 0;
  std::frexp(largestMagnitude, &exponent);
  // Both the power of two and its reciprocal are numbers.
  constexpr int kMostExponent = 1022;
  return std::ldexp(1.0, std::clamp(-exponent, -kMostExponent, kMostExponent));
}

DisplayMeans displayMeans(ResidentArray& array, const BrickBlocks& blocks, const Control& control) {
  DisplayMeans made{array.means(blocks, control)};
  if (array.spec().type != ElementType::f64 || suitsFloats(largestMagnitude(made.means))) return made;
  made.scale = displayScale(largestMagnitude(array, blocks, control));
  if (made.scale == 1) return made;
  made.means.clear();
  BrickBlocks layer = blocks;
  layer.count[2] = 1;
  forEachLayer(array, blocks, control, [&](Volume& slices) {
    for (double& value : slices.elements<double>()) value *= made.scale;
    const std::vector<float> means = blockMeans(slices, layer, control);
    made.means.insert(made.means.end(), means.begin(), means.end());
  });
  return made;
}

}  // namespace sscope
