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
    QString name{};     // what it shows; empty: the name of the side
  };
  const SlicePlane& plane;
  const ViewModel& model;
  VolumeViews::View view = VolumeViews::View::Axial;
  bool focused = false;
  QString status;
  double unitsPerPixel = 1;
  std::vector<Side> sides{};
  std::vector<QRectF> taken{};  // by labels, while they are painted

  // Returns the rectangles of the labels, which do not overlap. If there is no room, less important ones are left out.
  std::vector<QRectF> paint(QPainter& painter);

 private:
  void paintCrosshair(QPainter& painter, const Side& side) const;
  void paintTitle(QPainter& painter, const QRectF& inner);
  // What is written of a side: its name, and of large data whether it shows voxels or means.
  [[nodiscard]] QString nameOf(const Side& side) const;
  void paintName(QPainter& painter, const Side& side, const QRectF& inner);
  void paintLetters(QPainter& painter, const QRectF& inner);
  void paintScaleBar(QPainter& painter, const QRectF& inner);
  [[nodiscard]] bool isFree(const QRectF& box) const;
};

}  // namespace sscope
