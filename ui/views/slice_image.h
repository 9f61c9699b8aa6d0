#pragma once
// Pictures of slices: extracted from a volume, mapped to colors, cached as layers of a view, and stretched to the
// screen.

#include <QImage>
#include <QRect>
#include <QRectF>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/volume/volume.h"
#include "ui/charts/color_scale.h"
#include "ui/views/slice_plane.h"

namespace sscope {

// A rectangle of the slice in screen order: voxels from the left and from the bottom.
struct SliceRegion {
  std::int64_t left = 0, bottom = 0, width = 0, height = 0;
  std::int64_t reduction = 1;  // voxels along each edge averaged into one pixel, >= 1
  bool operator==(const SliceRegion&) const = default;
};

struct SliceImage {
  std::int64_t width = 0, height = 0;  // pixels; row 0 is the top
  int channels = 1;                    // 1, or 3 for color
  std::vector<double> values;          // channels interleaved
};

// component -1: the first three as color if there are three or four. `at` is the index along plane.normal. Blocks of
// more than 3 voxels along an edge are averaged over a grid of 3 by 3 of them, so that the time depends on the number
// of pixels, not of voxels.
[[nodiscard]] SliceImage extractSlice(const Volume& volume, const SlicePlane& plane, std::int64_t at, int component,
                                      const SliceRegion& region);

// Maps window[0] and below to the first color, window[1] and above to the last one, of at least two 0xffRRGGBB in
// `colors`, or of 256 grays if there are none; NaN and Inf get a color that differs from all grays. Fills width *
// height pixels. Channels of a color image use the blue of `colors`, which should then be grays.
void mapToPixels(const SliceImage& slice, const std::array<double, 2>& window, std::uint32_t* pixels,
                 std::span<const std::uint32_t> colors = {});

// Position and scale of a slice view; positions as in SlicePlane.
struct SliceCamera {
  double across = 0, up = 0;  // the point in the middle of each side
  double unitsPerPixel = 1;   // physical units per pixel
};

// The contents of a layer; no volume: empty.
struct SliceContent {
  std::shared_ptr<const Volume> volume;
  std::int64_t at = 0;
  int component = 0;
  std::array<double, 2> window{0, 1};
  ColorUse colors;
  // The block of voxels of the plane whose mean a voxel of the volume is; the last block of an axis may be smaller.
  std::array<std::int64_t, 3> block{1, 1, 1};
};

// One picture of a slice view, cached and updated only as far as needed.
class SliceLayer {
 public:
  // For an area of `width` x `height` physical pixels seen by `camera` (in physical pixels too). Extracts only the
  // visible part, and only if the slice, the part or the resolution changed.
  void update(const SliceContent& content, const SlicePlane& voxels, const SliceCamera& over, double width,
              double height);
  void clear();

  // Null if there is nothing to show.
  [[nodiscard]] const QImage& image() const { return image_; }
  // The area of the image in positions of the plane; top() is the lower edge, as positions grow upward.
  [[nodiscard]] const QRectF& extent() const { return extent_; }

 private:
  SliceImage values_;
  QImage image_;
  QRectF extent_;
  // The sources of the picture, which does not keep them alive.
  std::weak_ptr<const Volume> volume_;
  std::int64_t at_ = 0;
  std::array<std::int64_t, 3> block_{1, 1, 1};
  SliceRegion region_;
  int component_ = 0;
  std::array<double, 2> window_{0, 0};
  ColorUse colors_;
  ColorUse used_;                     // of the steps
  std::vector<std::uint32_t> steps_;  // empty: gray
};

// The picture of a slice in screen resolution, made in the thread that paints. QPainter would use other threads and
// wait for them, which takes milliseconds if all processors are busy.
class StretchedPicture {
 public:
  // Interpolates linearly between the centers of the pixels of a picture in Format_RGB32 that covers `target`, inside
  // `visible`; both in pixels of the screen. Levels differ from exact interpolation by less than 2 of 255. Does nothing
  // if nothing changed.
  void update(const QImage& picture, const QRectF& target, const QRect& visible);

  // The pixels of the screen whose centers are covered; null if there are none.
  [[nodiscard]] const QImage& image() const { return image_; }
  // The position of its upper left pixel.
  [[nodiscard]] QPoint corner() const { return corner_; }

 private:
  QImage image_;
  QPoint corner_;
  // The arguments of the last update().
  qint64 picture_ = 0;
  QRectF target_;
  QRect visible_;
};

}  // namespace sscope
