#include "ui/views/volume_stage.h"

#include <algorithm>
#include <utility>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/views/auto_window.h"
#include "ui/views/view_model.h"

namespace sscope {

namespace {

std::vector<double> samplesOf(ResidentArray& array, int component, const Control& control) {
  const auto& extent = array.spec().extent;
  const Volume samples = array.every(sampleStep(extent[0] * extent[1] * extent[2]), control);
  return sampleValues(samples, component);
}

FoundKind kindOf(ResidentArray& array, const Geometry& geometry, const VolumeBrick& brick, const LevelCounts& levels,
                 int component, std::optional<DataKind> source, const Control& control) {
  const std::vector<double> samples = samplesOf(array, component, control);
  const ArraySpec& spec = array.spec();
  return findKind({.type = spec.type,
                   .components = component < 0 ? static_cast<int>(spec.extent[3]) : 1,
                   .geometry = geometry,
                   .extent = {spec.extent[0], spec.extent[1], spec.extent[2]},
                   .samples = samples,
                   .levels = levels,
                   .isSigned = brick.isSigned,
                   .source = source});
}

}  // namespace

// A result is often of the kind of its source, which alone shows it.
std::optional<DataKind> VolumeStage::kindOfSource(const VolumeRenderer::Request& request, const Control& control) {
  const ShownArray& source = request.volumes[kSourceSide];
  if (!source) return {};
  if (known_.lock() != source.array) {
    const std::vector<double> samples = samplesOf(*source.array, request.component, control);
    const std::vector<float> values(samples.begin(), samples.end());
    BrickBlocks line;
    line.count = {static_cast<std::int64_t>(values.size()), 1, 1};
    if (values.empty()) return {};
    const VolumeBrick brick = brickOf(line, values, source.geometry, {});
    kind_ = kindOf(*source.array, source.geometry, brick, countLevels(brick), request.component, {}, control).kind;
    known_ = source.array;
  }
  return kind_;
}

void VolumeStage::makeBricks(const VolumeRenderer::Request& request, std::size_t index, const Control& control) {
  Side& side = sides_[index];
  const ShownArray& wanted = request.volumes[index];
  const bool colored = request.colors != ColorMap::Gray;
  Side made;
  if (wanted) {
    const BrickBlocks blocks = brickBlocks(wanted.array->spec(), request.component, kBrickEdge);
    made.means = wanted.array->means(blocks, control);
    made.brick =
        brickOf(blocks, made.means, wanted.geometry, colored ? std::optional(request.windows[index]) : std::nullopt);
    if (!colored) {
      VolumeInsight insight;
      insight.levels = countLevels(made.brick);
      const auto source = index == kResultSide ? kindOfSource(request, control) : std::nullopt;
      insight.found =
          kindOf(*wanted.array, wanted.geometry, made.brick, insight.levels, request.component, source, control);
      if (index == kSourceSide) {
        known_ = wanted.array;
        kind_ = insight.found.kind;
      }
      made.insight = std::make_shared<const VolumeInsight>(std::move(insight));
    }
  }
  made.of = wanted ? std::optional(std::weak_ptr(wanted.array)) : std::nullopt;
  made.window = request.windows[index];
  made.geometry = wanted.geometry;
  side = std::move(made);
  if (side.brick.empty()) scene_.setBrick(index, side.brick, {}, side.geometry);
  news_ = true;
}

void VolumeStage::crop(std::size_t index, const std::array<double, 6>& shares) {
  Side& side = sides_[index];
  const BrickPart part = partOf(side.brick, shares);
  if (side.part == part) return;
  side.part = part;
  side.level.reset();
  scene_.setBrick(index, side.brick, part, side.geometry);
}

void VolumeStage::setTransfer(std::size_t index, const TransferFunction& transfer, VolumeMode mode) {
  Side& side = sides_[index];
  if (side.transfer == transfer && side.mode == mode) return;
  scene_.setTransfer(index, transfer, mode);
  side.transfer = transfer;
  side.mode = mode;
}

void VolumeStage::setSurface(const VolumeRenderer::Request& request, std::size_t index) {
  Side& side = sides_[index];
  const double level = surfaceLevel(request.look, index, *side.insight);
  const Rgb color = surfaceColor(request.look, index, *side.insight, request.slices[index]);
  if (side.level == level && side.color == color && !side.transfer) return;
  if (side.level != level) side.surface = isoSurface(side.brick, side.means, side.part, level);
  scene_.setSurface(index, side.surface, color);
  side.level = level;
  side.color = color;
  side.transfer.reset();
}

void VolumeStage::dress(const VolumeRenderer::Request& request, std::size_t index) {
  Side& side = sides_[index];
  if (!side.insight) {
    setTransfer(index, mappedTransferFunction(request.colors), VolumeMode::Composite);
    return;
  }
  const VolumeInsight& insight = *side.insight;
  const VolumeLook& look = request.look;
  if (look.mode == VolumeMode::Surface) {
    setSurface(request, index);
    return;
  }
  constexpr double kPositive = 134;  // a level that is surely above zero, in the middle
  const bool isSigned = insight.found.kind == DataKind::Signed;
  if (look.mode == VolumeMode::Average)
    scene_.setAveraged(index, isSigned ? kPositive : otsuSplit(insight.levels).level);
  setTransfer(index, ofLevels(shownCurve(look, index, insight, request.slices[index]), insight.levels), look.mode);
}

void VolumeStage::bring(const VolumeRenderer::Request& request, const Control& control) {
  const bool colored = request.colors != ColorMap::Gray;
  const bool other = component_ != request.component || colors_ != request.colors;
  if (component_ != request.component) known_.reset();
  for (std::size_t index = 0; index < 2; ++index) {
    const ShownArray& wanted = request.volumes[index];
    if (!request.shown[index]) continue;  // made when it is first looked at
    const Side& side = sides_[index];
    const bool same = side.of ? wanted && side.of->lock() == wanted.array : !wanted;
    if (!same || other || (colored && side.window != request.windows[index])) makeBricks(request, index, control);
    if (sides_[index].brick.empty()) continue;
    crop(index, request.look.crop);
    dress(request, index);
  }
  // A side that is not shown keeps no brick of another component.
  if (other)
    for (std::size_t index = 0; index < 2; ++index)
      if (!request.shown[index]) sides_[index] = {};
  component_ = request.component;
  colors_ = request.colors;
}

bool VolumeStage::takeNews() { return std::exchange(news_, false); }

std::array<std::shared_ptr<const VolumeInsight>, 2> VolumeStage::insights() const {
  return {sides_[0].insight, sides_[1].insight};
}

QStringList VolumeStage::words(const VolumeRenderer::Request& request) const {
  QStringList words;
  std::int64_t reduction = 1;
  for (std::size_t index = 0; index < 2; ++index) {
    const Side& side = sides_[index];
    if (!request.shown[index] || side.brick.empty()) continue;
    reduction = std::max(reduction, side.brick.reduction);
    if (!side.level || side.transfer) continue;
    const QString unit = toQt(valueUnit(*side.insight));
    const QString level = unit.isEmpty() ? numberText(*side.level) : numberText(*side.level) + QLatin1Char(' ') + unit;
    words << VolumeRenderer::tr("level %1, %2 triangles").arg(level, formatCount(side.surface.triangles));
  }
  if (reduction > 1) words << VolumeRenderer::tr("averaged %1x").arg(reduction);
  return words;
}

}  // namespace sscope
