#include "ui/views/volume_stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/views/auto_window.h"
#include "ui/views/bricks.h"
#include "ui/views/view_model.h"
#include "ui/views/view_style.h"

namespace sscope {

namespace {

std::vector<double> samplesOf(ResidentArray& array, int component, const Control& control) {
  const auto& extent = array.spec().extent;
  const Volume samples = array.every(sampleStep(extent[0] * extent[1] * extent[2]), control);
  return sampleValues(samples, component);
}

std::vector<double> scaled(std::vector<double> values, double scale) {
  for (double& value : values) value *= scale;
  return values;
}

// The color for a share of the brightest ray; share 0 is the background.
GrayColors averageColors(const VolumeLook& look, std::size_t side, const SliceLook& slices) {
  constexpr double kClear = 0.04;
  const bool linked = look.linked && look.preset[side] != kOwnLook;
  const QColor background = viewBackground();
  GrayColors colors{};
  for (std::size_t gray = 0; gray < colors.size(); ++gray) {
    const double share = static_cast<double>(gray) / 255, clear = std::min(share / kClear, 1.0);
    const QColor color = usedColor(linked ? slices.colors : ColorUse(), share);
    const auto mixed = [clear](int from, int to) { return static_cast<int>(std::lround(std::lerp(from, to, clear))); };
    colors[gray] = qRgb(mixed(background.red(), color.red()), mixed(background.green(), color.green()),
                        mixed(background.blue(), color.blue()));
  }
  return colors;
}

// Levels as values, for a brick of values times `scale`.
LevelCounts levelsOf(const VolumeBrick& brick, double scale) {
  LevelCounts levels = countLevels(brick);
  levels.low /= scale;
  levels.high /= scale;
  return levels;
}

FoundKind kindOf(ResidentArray& array, const Geometry& geometry, const VolumeBrick& brick, const LevelCounts& levels,
                 const VolumeRenderer::Request& request, std::optional<DataKind> source, const Control& control) {
  const int component = request.component;
  const std::vector<double> samples = samplesOf(array, component, control);
  const ArraySpec& spec = array.spec();
  return findKind({.type = spec.type,
                   .components = component < 0 ? static_cast<int>(spec.extent[3]) : 1,
                   .geometry = geometry,
                   .extent = {spec.extent[0], spec.extent[1], spec.extent[2]},
                   .samples = samples,
                   .levels = levels,
                   .isSigned = brick.isSigned,
                   .modality = request.modality,
                   .source = source});
}

}  // namespace

// A result often has the kind of its source, and only the source shows it.
std::optional<DataKind> VolumeStage::kindOfSource(const VolumeRenderer::Request& request, const Control& control) {
  const ShownArray& source = request.volumes[kSourceSide];
  if (!source) return {};
  if (known_.lock() != source.array) {
    const std::vector<double> samples = samplesOf(*source.array, request.component, control);
    if (samples.empty()) return {};
    const auto [least, most] = std::ranges::minmax(samples);
    const double scale = displayScale(std::max(std::abs(least), std::abs(most)));
    std::vector<float> values;
    for (const double sample : samples) values.push_back(static_cast<float>(sample * scale));
    BrickBlocks line;
    line.count = {static_cast<std::int64_t>(values.size()), 1, 1};
    const VolumeBrick brick = brickOf(line, values, source.geometry, {});
    kind_ = kindOf(*source.array, source.geometry, brick, levelsOf(brick, scale), request, {}, control).kind;
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
    DisplayMeans means = displayMeans(*wanted.array, blocks, control);
    made.means = std::move(means.means);
    made.scale = means.scale;
    std::optional<std::array<double, 2>> window;
    if (colored) window = {request.windows[index][0] * made.scale, request.windows[index][1] * made.scale};
    made.brick = brickOf(blocks, made.means, wanted.geometry, window);
    if (!colored) {
      VolumeInsight insight;
      insight.levels = levelsOf(made.brick, made.scale);
      const auto source = index == kResultSide ? kindOfSource(request, control) : std::nullopt;
      insight.found = kindOf(*wanted.array, wanted.geometry, made.brick, insight.levels, request, source, control);
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
  side.surfaceLevels.clear();
  side.levels = Side::Levels::Plain;
  side.brightPath.reset();
  scene_.setBrick(index, side.brick, part, side.geometry);
}

void VolumeStage::showLevels(std::size_t index, Side::Levels levels) {
  Side& side = sides_[index];
  if (std::exchange(side.levels, levels) == levels) return;
  switch (levels) {
    case Side::Levels::Plain: scene_.setLevels(index, side.brick, side.part, side.brick.values, {}); break;
    case Side::Levels::OverRange:
      scene_.setLevels(index, side.brick, side.part, levelsOverRange(side.brick, side.part), {});
      break;
    case Side::Levels::Inside:
      if (side.object.empty()) side.object = objectMask(side.brick, otsuSplit(side.insight->levels).level);
      scene_.setLevels(index, side.brick, side.part, levelsInside(side.brick, side.object, side.part), side.object);
  }
}

void VolumeStage::setTransfer(std::size_t index, const TransferFunction& transfer, VolumeMode mode, double path) {
  Side& side = sides_[index];
  if (mode != VolumeMode::Average) side.averaged.reset();
  if (side.transfer == transfer && side.mode == mode && side.path == path) return;
  scene_.setTransfer(index, transfer, mode, path);
  side.transfer = transfer;
  side.mode = mode;
  side.path = path;
}

// The smallest value of the object along each ray: of data of one sign the background around it would be everywhere.
void VolumeStage::setMinimum(const VolumeRenderer::Request& request, std::size_t index) {
  const VolumeInsight& insight = *sides_[index].insight;
  TransferFunction transfer = ofLevels(shownCurve(request.look, index, insight, request.slices[index]), insight.levels);
  if (insight.found.kind == DataKind::Signed) {
    showLevels(index, Side::Levels::Plain);
  } else {
    showLevels(index, Side::Levels::Inside);
    transfer.opacities = {
        {0, 1}, {kMostInside + 2.0, 1}, {kMostInside + 5.0, 0}, {255, 0}};  // 255: the ray met nothing
  }
  setTransfer(index, transfer, VolumeMode::Minimum);
}

// What is above the background, added up along the rays: a picture as X-rays make it.
void VolumeStage::setAverage(const VolumeRenderer::Request& request, std::size_t index) {
  constexpr double kMiddle = 127.5;
  constexpr double kSlanted = 1.15;  // rays between the axes may be longer
  Side& side = sides_[index];
  const VolumeInsight& insight = *side.insight;
  const double from = insight.found.kind == DataKind::Signed ? kMiddle : otsuSplit(insight.levels).level;
  showLevels(index, Side::Levels::OverRange);
  TransferFunction transfer;
  transfer.shaded = false;
  transfer.nearest = shownCurve(request.look, index, insight, request.slices[index]).nearest;
  transfer.colors = {{0, {1, 1, 1}}, {255, {1, 1, 1}}};
  // The ray caster adds up opacities times levels.
  transfer.opacities = {{0, 0}, {from, 0}};
  for (int level = static_cast<int>(from) + 1; level <= 255; ++level)
    transfer.opacities.push_back({static_cast<double>(level), (level - from) / (255 - from) * 255 / level});
  if (!side.brightPath) side.brightPath = longestBrightPath(side.brick, side.part, from);
  side.averaged = averageColors(request.look, index, request.slices[index]);
  setTransfer(index, transfer, VolumeMode::Average, *side.brightPath > 0 ? kSlanted * *side.brightPath : 1);
}

void VolumeStage::setSurface(const VolumeRenderer::Request& request, std::size_t index) {
  Side& side = sides_[index];
  const std::vector<double> values = surfaceLevels(request.look, index, *side.insight);
  std::vector<LevelColor> levels;
  for (const double value : values)
    levels.push_back({value, surfaceColor(request.look, index, *side.insight, request.slices[index], value)});
  if (side.surfaceLevels == levels && !side.transfer) return;
  if (!std::ranges::equal(side.surfaceLevels, values, {}, &LevelColor::level))
    side.surface = isoSurface(side.brick, side.means, side.part, scaled(values, side.scale));
  std::vector<LevelColor> colors = levels;
  for (LevelColor& each : colors) each.level *= side.scale;
  scene_.setSurface(index, side.surface, colors);
  side.surfaceLevels = std::move(levels);
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
  switch (look.mode) {
    case VolumeMode::Surface: setSurface(request, index); return;
    case VolumeMode::Minimum: setMinimum(request, index); return;
    case VolumeMode::Average: setAverage(request, index); return;
    default: break;
  }
  showLevels(index, Side::Levels::Plain);
  setTransfer(index, ofLevels(shownCurve(look, index, insight, request.slices[index]), insight.levels), look.mode);
}

const GrayColors* VolumeStage::grayColors(std::size_t side) const {
  const Side& of = sides_[side];
  return of.averaged && of.transfer && !of.brick.empty() ? &*of.averaged : nullptr;
}

void VolumeStage::bring(const VolumeRenderer::Request& request, const Control& control) {
  const bool colored = request.colors != ColorMap::Gray;
  const bool other = component_ != request.component || colors_ != request.colors;
  if (component_ != request.component) known_.reset();
  for (std::size_t index = 0; index < 2; ++index) {
    const ShownArray& wanted = request.volumes[index];
    if (!request.shown[index]) continue;  // made when it is first shown
    const Side& side = sides_[index];
    const bool same = side.of ? wanted && side.of->lock() == wanted.array : !wanted;
    if (!same || other || (colored && side.window != request.windows[index])) makeBricks(request, index, control);
    if (sides_[index].brick.empty()) continue;
    crop(index, request.look.crop);
    dress(request, index);
  }
  // A hidden side drops its brick of another component.
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
    if (side.surfaceLevels.empty() || side.transfer) continue;
    if (const auto axis = axisWithoutSurface(side.part)) {
      words << VolumeRenderer::tr("no isosurface: %1 has a single voxel").arg(QLatin1Char("xyz"[*axis]));
      continue;
    }
    constexpr int kDigits = 5;  // as in its number box
    const double first = side.surfaceLevels.front().level;
    const QString number =
        side.surfaceLevels.size() > 1 ? QChar(0xB1) + numberText(std::abs(first), kDigits) : numberText(first, kDigits);
    const QString unit = toQt(valueUnit(*side.insight));
    const QString level = unit.isEmpty() ? number : number + QLatin1Char(' ') + unit;
    words << VolumeRenderer::tr("level %1, %2 triangles").arg(level, formatCount(side.surface.triangles));
  }
  if (reduction > 1) words << VolumeRenderer::tr("averaged %1x").arg(reduction);
  return words;
}

}  // namespace sscope
