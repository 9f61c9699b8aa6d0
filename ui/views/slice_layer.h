#pragma once
// One picture of a slice view, cached, updated only as far as something changed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <QImage>
#include <QRectF>

#include "core/volume/volume.h"
#include "ui/charts/color_scale.h"
#include "ui/views/slice_image.h"
#include "ui/views/slice_plane.h"

namespace sscope {

// Position and scale of a slice view; positions as in SlicePlane.
struct SliceCamera {
  double across = 0, up = 0;  // the point in the middle of each side
  double unitsPerPixel = 1;   // physical units per pixel
};

// What a layer shows and how. No volume: nothing.
struct SliceContent {
  std::shared_ptr<const Volume> volume;
  std::int64_t at = 0;
  int component = 0;
  std::array<double, 2> window{0, 1};
  ColorUse colors;
  // Voxels of the plane that a voxel of the volume is the mean of; the last ones of an axis may have fewer.
  std::array<std::int64_t, 3> block{1, 1, 1};
};

class SliceLayer {
 public:
  // For an area of `width` x `height` physical pixels seen by `camera` (in physical pixels too). Extracts only the
  // visible part, and only if the slice, the part or the resolution changed.
  void update(const SliceContent& content, const SlicePlane& voxels, const SliceCamera& over, double width,
              double height);
  void clear();

  // Null where there is nothing to show.
  [[nodiscard]] const QImage& image() const { return image_; }
  // What the image covers in the plane's positions; top() is the lower edge, as positions grow upward.
  [[nodiscard]] const QRectF& extent() const { return extent_; }

 private:
  SliceImage values_;
  QImage image_;
  QRectF extent_;
  // What they were made of, which a picture does not keep alive.
  std::weak_ptr<const Volume> volume_;
  std::int64_t at_ = 0;
  std::array<std::int64_t, 3> block_{1, 1, 1};
  SliceRegion region_;
  int component_ = 0;
  std::array<double, 2> window_{0, 0};
  ColorUse colors_;
  ColorUse used_;                     // that the steps are of
  std::vector<std::uint32_t> steps_;  // empty: gray
};

}  // namespace sscope
