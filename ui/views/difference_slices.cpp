#include "ui/views/difference_slices.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/statistics.h"
#include "ui/base/text.h"
#include "ui/views/auto_window.h"

namespace sscope {

namespace {
// Prevents flickering colors while a slider moves.
constexpr double kSlack = 1.0 / 6;
constexpr std::size_t kSamples = 1U << 13;
}  // namespace

bool DifferenceSlices::update(ViewModel& model, std::size_t axis) {
  Key& key = keys_[axis];
  auto& difference = model.difference[axis];
  const ViewModel::Slice source = model.slice(kSourceSide, axis), result = model.slice(kResultSide, axis);
  // The mean of a block cannot be compared with a voxel of the result.
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

namespace {

QString percentText(double share) {
  return std::isfinite(share) ? Words::tr("%1 %").arg(numberText(100 * share, 3)) : Words::tr("infinite");
}

QString decibelText(double decibels) {
  return std::isfinite(decibels) ? Words::tr("%1 dB").arg(QString::number(decibels, 'f', 1)) : Words::tr("infinite");
}

}  // namespace

QString shortNorms(const DifferenceNorms& norms) {
  if (norms.elements == 0) return Words::tr("nothing to compare");
  return Words::tr("RMS %1 · max %2").arg(numberText(norms.rootMeanSquare, 3), numberText(norms.maximum, 3));
}

QString allNorms(const DifferenceNorms& norms, bool decibels) {
  if (norms.elements == 0) return Words::tr("nothing to compare: no voxel is finite in both");
  QStringList parts{
      Words::tr("L1 %1").arg(numberText(norms.meanAbsolute)), Words::tr("L2 %1").arg(numberText(norms.rootMeanSquare)),
      Words::tr("max %1").arg(numberText(norms.maximum)), Words::tr("relative L2 %1").arg(percentText(norms.relative))};
  if (decibels && norms.decibels) parts << Words::tr("PSNR %1").arg(decibelText(*norms.decibels));
  if (norms.leftOut > 0)
    parts << Words::tr("%1 not finite, left out").arg(QLocale::c().toString(static_cast<qlonglong>(norms.leftOut)));
  return parts.join(QStringLiteral(" · "));
}

QString normsHelp() {
  return Words::tr(
      "Norms of result minus source over all voxels of this slice: L1 is the mean magnitude, L2 the root mean square, "
      "relative L2 the L2 norm divided by that of the source. PSNR is 20 log10(peak / L2), where the peak is 255 for "
      "8-bit data and otherwise the range of the source in the slice; it is shown for filters that keep the mean.");
}

}  // namespace sscope
