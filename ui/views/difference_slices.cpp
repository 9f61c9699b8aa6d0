#include "ui/views/difference_slices.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/statistics.h"
#include "ui/views/auto_window.h"

namespace sscope {

namespace {
// So that colors do not flicker under a moving slider.
constexpr double kSlack = 1.0 / 6;
constexpr std::size_t kSamples = 1U << 13;
}  // namespace

bool DifferenceSlices::update(ViewModel& model, std::size_t axis) {
  Key& key = keys_[axis];
  auto& difference = model.difference[axis];
  const ViewModel::Slice source = model.slice(kSourceSide, axis), result = model.slice(kResultSide, axis);
  // The difference between a mean of many voxels and one of a result says nothing.
  if (!model.differs() || !source.volume || !result.volume || !model.isExact(axis)) return drop(model, axis);
  const DifferenceKind kind = model.compare.difference;
  if (difference && key.source.lock() == source.volume && key.sourceAt == source.at &&
      key.result.lock() == result.volume && key.resultAt == result.at && key.component == model.component &&
      key.kind == kind)
    return false;
  difference = std::make_shared<const SliceDifference>(
      sliceDifference(*source.volume, source.at, *result.volume, result.at, axis, model.component, kind));
  key = {source.volume, result.volume, source.at, result.at, model.component, kind};
  return true;
}

bool DifferenceSlices::drop(ViewModel& model, std::size_t axis) {
  keys_[axis] = {};
  return std::exchange(model.difference[axis], nullptr) != nullptr;
}

bool DifferenceSlices::chooseRange(ViewModel& model) {
  const double before = model.differenceRange;
  if (model.compare.range) {
    automatic_ = false;
    model.differenceRange = *model.compare.range;
    return model.differenceRange != before;
  }
  std::vector<double> magnitudes;
  double most = 0;
  for (const auto& each : model.difference) {
    if (!each) continue;
    for (const double value : sampleValues(each->values, 0, kSamples)) magnitudes.push_back(std::abs(value));
  }
  if (magnitudes.empty()) return false;
  for (const double value : magnitudes) most = std::max(most, value);
  double range = percentile(magnitudes, 0.99);
  if (!(range > 0)) range = most > 0 ? most : 1;
  const bool stays = automatic_ && rangeOf_ == model.compare.difference &&
                     std::abs(range - before) <= kSlack * std::max(range, before);
  automatic_ = true;
  rangeOf_ = model.compare.difference;
  if (!stays) model.differenceRange = range;
  return model.differenceRange != before;
}

}  // namespace sscope
