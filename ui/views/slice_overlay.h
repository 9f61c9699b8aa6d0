#pragma once
// What is written and drawn over a slice: crosshair, name, slice number, orientation, scale bar, state.

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
  };
  const SlicePlane& plane;
  const ViewModel& model;
  VolumeViews::View view = VolumeViews::View::Axial;
  bool focused = false;
  QString status;
  double unitsPerPixel = 1;
  std::vector<Side> sides{};

  void paint(QPainter& painter) const;

 private:
  void paintCrosshair(QPainter& painter, const Side& side) const;
  void paintLabels(QPainter& painter, const Side& side, const QRectF& inner) const;
  QRectF paintTitle(QPainter& painter, const QRectF& inner, bool flat) const;
  void paintScaleBar(QPainter& painter, const QRectF& inner) const;
};

}  // namespace sscope
