#pragma once
// Which part of a slice's pane shows the source and which the result.

#include <cstddef>

#include <QPointF>
#include <QRectF>
#include <QRegion>
#include <QString>

#include "ui/views/view_model.h"

namespace sscope {

// Lengths in logical pixels of the pane.
struct SliceSides {
  const ViewModel& model;
  QRectF pane;
  QRectF slice{};  // where the whole slice lies; only for the checkerboard

  // Where the camera of a side looks: the pane, or its half where the sides are next to each other.
  [[nodiscard]] QRectF area(std::size_t side) const;
  // The side under a point; kResultSide for a difference.
  [[nodiscard]] std::size_t at(const QPointF& position) const;
  // Whether the side is seen somewhere, and where.
  [[nodiscard]] bool seen(std::size_t side) const;
  [[nodiscard]] QRegion part(std::size_t side) const;
  // What is written where the side is shown.
  [[nodiscard]] QString name(std::size_t side) const;

  [[nodiscard]] double dividerX() const { return pane.left() + model.compare.divider * pane.width(); }
  [[nodiscard]] bool onDivider(const QPointF& position, double reach) const;

 private:
  [[nodiscard]] QRegion fields(std::size_t side) const;
  [[nodiscard]] double fieldLength() const;
};

}  // namespace sscope
