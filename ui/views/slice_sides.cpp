#include "ui/views/slice_sides.h"
#include "ui/base/text.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sscope {

namespace {

using How = CompareLook::How;

}  // namespace

QRectF SliceSides::area(std::size_t side) const {
  if (!model.both() || model.overlaid()) return pane;
  QRectF half = pane;
  half.setWidth(pane.width() / 2);
  if (side == kResultSide) half.moveRight(pane.right());
  return half;
}

std::size_t SliceSides::at(const QPointF& position) const {
  if (!model.both()) return model.shown[kResultSide] ? kResultSide : kSourceSide;
  switch (model.compare.how) {
    case How::Side: return position.x() >= area(kResultSide).left() ? kResultSide : kSourceSide;
    case How::Swipe: return position.x() >= dividerX() ? kResultSide : kSourceSide;
    case How::Flicker: return model.flickered ? kSourceSide : kResultSide;
    case How::Checkerboard: {
      const double length = fieldLength();
      const auto column = static_cast<std::int64_t>(std::floor((position.x() - slice.left()) / length));
      const auto row = static_cast<std::int64_t>(std::floor((position.y() - slice.top()) / length));
      return (column + row) % 2 == 0 ? kSourceSide : kResultSide;
    }
    case How::Difference: break;
  }
  return kResultSide;
}

bool SliceSides::seen(std::size_t side) const {
  if (!model.shown[side]) return false;
  if (!model.both()) return true;
  if (model.compare.how == How::Flicker) return (side == kSourceSide) == model.flickered;
  return model.compare.how != How::Difference || side == kResultSide;
}

QRegion SliceSides::part(std::size_t side) const {
  if (!model.overlaid()) return area(side).toAlignedRect();
  const QRect whole = pane.toAlignedRect();
  if (model.compare.how == How::Checkerboard) return fields(side);
  if (model.compare.how != How::Swipe) return whole;
  QRect part = whole;
  const int divider = static_cast<int>(std::lround(dividerX()));
  side == kSourceSide ? part.setRight(divider - 1) : part.setLeft(divider);
  return part;
}

double SliceSides::fieldLength() const {
  return std::max(4.0, std::max(slice.width(), slice.height()) / model.compare.fields);
}

// Whole pixels, so that neighbors share an edge. Rows from the top and in them fields from the left, as QRegion wants.
QRegion SliceSides::fields(std::size_t side) const {
  const double length = fieldLength();
  const auto edges = [&](double from, double first, double last) {
    const auto begin = static_cast<std::int64_t>(std::floor((std::max(first, from) - from) / length));
    std::vector<std::pair<std::int64_t, int>> found;
    for (std::int64_t i = begin; from + static_cast<double>(i - 1) * length < last; ++i)
      found.emplace_back(i, static_cast<int>(std::lround(from + static_cast<double>(i) * length)));
    return found;
  };
  const auto columns = edges(slice.left(), pane.left(), std::min(pane.right(), slice.right()));
  const auto rows = edges(slice.top(), pane.top(), std::min(pane.bottom(), slice.bottom()));
  std::vector<QRect> rectangles;
  for (std::size_t r = 0; r + 1 < rows.size(); ++r)
    for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
      const bool source = (rows[r].first + columns[c].first) % 2 == 0;
      if (source != (side == kSourceSide)) continue;
      rectangles.emplace_back(QPoint(columns[c].second, rows[r].second),
                              QPoint(columns[c + 1].second - 1, rows[r + 1].second - 1));
    }
  QRegion region;
  region.setRects(rectangles.data(), static_cast<int>(rectangles.size()));
  return region;
}

QString SliceSides::name(std::size_t side) const {
  const QString& own = model.names[side];
  if (!model.overlaid()) return own;
  switch (model.compare.how) {
    case How::Swipe: return Words::tr("%1 | %2").arg(model.names[kSourceSide], model.names[kResultSide]);
    case How::Checkerboard: return Words::tr("%1 and %2").arg(model.names[kSourceSide], model.names[kResultSide]);
    case How::Difference: {
      switch (model.compare.difference) {
        case DifferenceKind::Absolute:
          return Words::tr("|%1 − %2|").arg(model.names[kResultSide], model.names[kSourceSide]);
        case DifferenceKind::Relative:
          return Words::tr("(%1 − %2) / |%2|").arg(model.names[kResultSide], model.names[kSourceSide]);
        case DifferenceKind::Signed: break;
      }
      return Words::tr("%1 − %2").arg(model.names[kResultSide], model.names[kSourceSide]);
    }
    default: return own;
  }
}

bool SliceSides::onDivider(const QPointF& position, double reach) const {
  return model.both() && model.compare.how == How::Swipe && std::abs(position.x() - dividerX()) <= reach;
}

}  // namespace sscope
