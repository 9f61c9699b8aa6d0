#include "ui/views/profile_tool.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/views/view_style.h"

namespace sscope {

namespace {

const QColor kLine(255, 214, 10);

double lengthOf(const QPointF& vector) { return std::hypot(vector.x(), vector.y()); }

double distance(const QPointF& p, const QPointF& a, const QPointF& b) {
  const QPointF along = b - a;
  const double square = QPointF::dotProduct(along, along);
  const double share = square > 0 ? std::clamp(QPointF::dotProduct(p - a, along) / square, 0.0, 1.0) : 0;
  return lengthOf(p - (a + share * along));
}

// The largest indices of the slice.
SlicePoint lastOf(const SlicePlane& plane) {
  const auto [a, b] = axesOfSlice(plane.normal);
  return {static_cast<double>(plane.extent[a] - 1), static_cast<double>(plane.extent[b] - 1)};
}

SlicePoint inside(const SlicePoint& point, const SlicePlane& plane) {
  const SlicePoint last = lastOf(plane);
  return {std::clamp(point[0], 0.0, last[0]), std::clamp(point[1], 0.0, last[1])};
}

}  // namespace

ProfileTool::Part ProfileTool::partAt(const ProfileLine& line, const QPointF& position, const Place& place,
                                      double reach) {
  const QPointF from = place(line.from), to = place(line.to);
  if (lengthOf(position - to) <= reach) return Part::To;
  if (lengthOf(position - from) <= reach) return Part::From;
  return distance(position, from, to) <= 0.6 * reach ? Part::Whole : Part::None;
}

void ProfileTool::begin(std::optional<ProfileLine> line, Part part, std::size_t axis, const SlicePoint& point) {
  line_ = line ? *line : ProfileLine{axis, point, point};
  part_ = line ? part : Part::To;
  start_ = point;
}

ProfileLine ProfileTool::movedTo(const SlicePoint& point, const SlicePlane& plane, bool straight) const {
  if (part_ == Part::Whole) return moved(line_, plane, {point[0] - start_[0], point[1] - start_[1]}, false);
  ProfileLine line = line_;
  SlicePoint& end = part_ == Part::From ? line.from : line.to;
  const SlicePoint& other = part_ == Part::From ? line.to : line.from;
  end = point;
  if (straight) {
    const auto axes = axesOfSlice(plane.normal);
    const std::array<double, 2> way{std::abs(end[0] - other[0]) * plane.spacing[axes[0]],
                                    std::abs(end[1] - other[1]) * plane.spacing[axes[1]]};
    const std::size_t still = way[0] < way[1] ? 0 : 1;
    end[still] = other[still];
  }
  line.from = inside(line.from, plane);
  line.to = inside(line.to, plane);
  return line;
}

void ProfileTool::paint(QPainter& painter, const ProfileLine& line, const Place& place, double em) {
  const QPointF from = place(line.from), to = place(line.to);
  const double radius = 0.32 * em;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& [color, width] : {std::pair(viewBackground(), 0.26), std::pair(kLine, 0.1)}) {
    painter.setPen(QPen(color, width * em, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(from, to);
  }
  painter.setPen(QPen(viewBackground(), 0.08 * em));
  painter.setBrush(kLine);
  painter.drawEllipse(from, radius, radius);  // where the distance is 0
  painter.setPen(QPen(kLine, 0.14 * em));
  painter.setBrush(viewBackground());
  painter.drawEllipse(to, radius, radius);
  painter.restore();
}

ProfileLine moved(ProfileLine line, const SlicePlane& plane, const SlicePoint& by, bool secondEnd) {
  if (secondEnd) {
    line.to = inside({line.to[0] + by[0], line.to[1] + by[1]}, plane);
    return line;
  }
  // Within the limits of both ends.
  const SlicePoint last = lastOf(plane);
  for (std::size_t k = 0; k < 2; ++k) {
    const double low = std::min(line.from[k], line.to[k]), high = std::max(line.from[k], line.to[k]);
    const double step = std::clamp(by[k], std::min(-low, 0.0), std::max(last[k] - high, 0.0));
    line.from[k] += step;
    line.to[k] += step;
  }
  return line;
}

ProfileLine lineThrough(const SlicePlane& plane, const std::array<std::int64_t, 3>& voxel) {
  ProfileLine line{plane.normal, {}, {}};
  const std::size_t across = plane.across < plane.up ? 0 : 1;
  const auto last = static_cast<double>(plane.extent[plane.across] - 1);
  line.from[1 - across] = line.to[1 - across] = static_cast<double>(voxel[plane.up]);
  line.from[across] = plane.acrossFlipped ? last : 0;
  line.to[across] = plane.acrossFlipped ? 0 : last;
  return line;
}

}  // namespace sscope
