#include "ui/views/slice_layer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sscope {

namespace {

// Slices up to this many voxels along an edge are taken out whole, so that panning and zooming in costs nothing.
constexpr std::int64_t kWhole = 1024;
// Larger ones are cut at multiples of this, so that small pans find the cut still good.
constexpr std::int64_t kGrid = 256;

// The voxels along one axis (from the left or bottom) that are on the screen.
std::pair<std::int64_t, std::int64_t> visibleRange(double center, double halfLength, double spacing,
                                                   std::int64_t extent) {
  if (extent <= kWhole) return {0, extent};
  const auto first = static_cast<std::int64_t>(std::floor((center - halfLength) / spacing)) - 1;
  const auto last = static_cast<std::int64_t>(std::ceil((center + halfLength) / spacing)) + 2;
  const std::int64_t begin = std::clamp<std::int64_t>(first / kGrid * kGrid, 0, extent - 1);
  const std::int64_t end = std::clamp<std::int64_t>((last + kGrid - 1) / kGrid * kGrid, begin + 1, extent);
  return {begin, end};
}

SliceRegion visibleRegion(const SlicePlane& plane, const SliceCamera& camera, double width, double height) {
  const double su = plane.spacing[plane.across], sv = plane.spacing[plane.up];
  const double halfWidth = width / 2 * camera.unitsPerPixel, halfHeight = height / 2 * camera.unitsPerPixel;
  const auto [left, right] = visibleRange(camera.across, halfWidth, su, plane.extent[plane.across]);
  const auto [bottom, top] = visibleRange(camera.up, halfHeight, sv, plane.extent[plane.up]);
  SliceRegion region{left, bottom, right - left, top - bottom, 1};
  // As many voxels a pixel as fit into one pixel of the screen along the coarser axis.
  const double voxelsPerPixel = camera.unitsPerPixel / std::max(su, sv);
  region.reduction = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(voxelsPerPixel + 0.25)));
  return region;
}

// The plane of block means, and where it begins in positions of the voxels' plane.
struct MeansPlane {
  SlicePlane plane;
  double across = 0, up = 0;
};

MeansPlane meansPlane(const SlicePlane& voxels, const std::array<std::int64_t, 3>& block) {
  MeansPlane means{voxels};
  for (std::size_t a = 0; a < 3; ++a) {
    means.plane.extent[a] = (voxels.extent[a] + block[a] - 1) / block[a];
    means.plane.spacing[a] *= static_cast<double>(block[a]);
  }
  // From the end of a flipped axis the last block comes first, of which voxels may be missing.
  const auto begin = [&](std::size_t a, bool flipped) {
    const double middle = static_cast<double>(block[a] - 1) / 2;
    const auto last = static_cast<double>((means.plane.extent[a] - 1) * block[a]);
    return voxels.spacing[a] * (flipped ? static_cast<double>(voxels.extent[a] - 1) - middle - last : middle);
  };
  means.across = begin(voxels.across, voxels.acrossFlipped);
  means.up = begin(voxels.up, voxels.upFlipped);
  return means;
}

}  // namespace

void SliceLayer::clear() {
  volume_.reset();
  image_ = {};
}

void SliceLayer::update(const SliceContent& content, const SlicePlane& voxels, const SliceCamera& over, double width,
                        double height) {
  if (!content.volume) {
    clear();
    return;
  }
  const MeansPlane means = meansPlane(voxels, content.block);
  const SlicePlane& plane = means.plane;
  SliceCamera camera = over;
  camera.across -= means.across;
  camera.up -= means.up;
  const SliceRegion region = visibleRegion(plane, camera, width, height);
  const bool same = content.volume == volume_.lock() && content.at == at_ && region == region_ &&
                    content.component == component_ && content.block == block_;
  if (same && window_ == content.window && colors_ == content.colors && !image_.isNull()) return;
  if (!same) {
    volume_ = content.volume;
    at_ = content.at;
    region_ = region;
    component_ = content.component;
    block_ = content.block;
    values_ = extractSlice(*content.volume, plane, at_, component_, region_);
    const double su = plane.spacing[plane.across], sv = plane.spacing[plane.up];
    const auto reduction = static_cast<double>(region_.reduction);
    extent_ = QRectF((static_cast<double>(region_.left) - 0.5) * su, (static_cast<double>(region_.bottom) - 0.5) * sv,
                     static_cast<double>(values_.width) * reduction * su,
                     static_cast<double>(values_.height) * reduction * sv)
                  .translated(means.across, means.up);
  }
  window_ = content.window;
  // Color images have no map, only gamma and inversion.
  ColorUse colors = content.colors;
  if (values_.channels > 1) colors.map = ColorMap::Gray;
  if (colors == ColorUse()) {
    steps_.clear();
  } else if (!(used_ == colors) || steps_.empty()) {
    steps_ = colorSteps(colors);
    used_ = colors;
  }
  colors_ = content.colors;
  const QSize size(static_cast<int>(values_.width), static_cast<int>(values_.height));
  if (image_.size() != size) image_ = QImage(size, QImage::Format_RGB32);
  // 32-bit rows have no padding.
  mapToPixels(values_, window_, reinterpret_cast<std::uint32_t*>(image_.bits()), steps_);
}

}  // namespace sscope
