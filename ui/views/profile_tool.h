#pragma once
// The line of a profile in a slice: drawing it and moving it by its ends.

#include <QPainter>
#include <QPointF>
#include <functional>
#include <optional>

#include "core/volume/line_profile.h"
#include "ui/views/slice_plane.h"

namespace sscope {

class ProfileTool {
 public:
  enum class Part { None, From, To, Whole };
  // The place of a point of the slice in the pane, in logical pixels.
  using Place = std::function<QPointF(const SlicePoint&)>;

  // The part of the line that lies within `reach` of a position.
  [[nodiscard]] static Part partAt(const ProfileLine& line, const QPointF& position, const Place& place, double reach);
  // Begins to move a part of `line` from `point`; no line: a new one begins there.
  void begin(std::optional<ProfileLine> line, Part part, std::size_t axis, const SlicePoint& point);
  // The line after moving that point to another one, inside the slice. `straight`: along one of its axes.
  [[nodiscard]] ProfileLine movedTo(const SlicePoint& point, const SlicePlane& plane, bool straight) const;

  // `em`: the height of a line of text.
  static void paint(QPainter& painter, const ProfileLine& line, const Place& place, double em);

 private:
  ProfileLine line_;
  Part part_ = Part::None;
  SlicePoint start_{};
};

// The line moved by `by` voxels, or its second end alone, within the slice.
[[nodiscard]] ProfileLine moved(ProfileLine line, const SlicePlane& plane, const SlicePoint& by, bool secondEnd);
// A line across the whole slice through this voxel, from the left of the screen to the right.
[[nodiscard]] ProfileLine lineThrough(const SlicePlane& plane, const std::array<std::int64_t, 3>& voxel);

}  // namespace sscope
