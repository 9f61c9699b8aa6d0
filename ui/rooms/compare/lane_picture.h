#pragma once
// A slice through a contender's first result, which fills in as slabs finish.

#include <QImage>
#include <array>
#include <optional>
#include <vector>

#include "core/volume/volume.h"
#include "ui/views/slice_image.h"
#include "ui/views/slice_plane.h"

namespace sscope {

using LaneWindow = std::array<double, 2>;

class LanePicture {
 public:
  // Keeps a reduced copy of what the slice crosses in this part of the output; nothing else of it is read. `plane`: of
  // the second axis; -1: the middle. Images are shown whole.
  void add(const Volume& output, const Geometry& geometry, std::int64_t plane, const Box& finished);
  [[nodiscard]] bool empty() const { return strips_.empty(); }
  [[nodiscard]] std::size_t parts() const { return strips_.size(); }
  // Values to choose a window by.
  [[nodiscard]] std::vector<double> values() const;
  // What is there so far, the rest transparent; kept until something changes.
  [[nodiscard]] const QImage& image(const LaneWindow& window) const;
  // Width over height of the slice as it lies in space.
  [[nodiscard]] double aspect() const { return aspect_; }

 private:
  struct Strip {
    SliceImage values;
    double left = 0, top = 0, width = 1, height = 1;  // shares of the picture
  };
  std::vector<Strip> strips_;
  double aspect_ = 1;
  std::int64_t width_ = 0, height_ = 0;  // pixels of the whole
  mutable QImage image_;
  mutable std::optional<LaneWindow> window_;  // that the image is of
};

}  // namespace sscope
