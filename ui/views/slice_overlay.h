#pragma once
// The overlay of a slice: crosshair, name, slice number, orientation, scale bar, status.

#include <vector>

#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <QString>

#include "ui/views/slice_plane.h"
#include "ui/views/view_model.h"
#include "ui/views/volume_views.h"

namespace sscope {

struct SliceOverlay {
  struct Side {
    std::size_t side = kSourceSide;
    QRectF area;        // logical pixels of the pane
    QPointF crosshair;  // its center there
    QString name{};     // empty: the name of the side
  };
  const SlicePlane& plane;
  const ViewModel& model;
  VolumeViews::View view = VolumeViews::View::Axial;
  bool focused = false;
  QString status;
  double unitsPerPixel = 1;
  std::vector<Side> sides{};
  std::vector<QRectF> labels{};  // painted so far

  // Returns the rectangles of the labels, which do not overlap. Less important ones are left out if there is no space.
  std::vector<QRectF> paint(QPainter& painter);

 private:
  void paintCrosshair(QPainter& painter, const Side& side) const;
  void paintTitle(QPainter& painter, const QRectF& inner);
  // The name of a side; for large data also whether it shows voxels or means.
  [[nodiscard]] QString nameOf(const Side& side) const;
  void paintName(QPainter& painter, const Side& side, const QRectF& inner);
  void paintLetters(QPainter& painter, const QRectF& inner);
  void paintScaleBar(QPainter& painter, const QRectF& inner);
  [[nodiscard]] bool isFree(const QRectF& box) const;
};

}  // namespace sscope
