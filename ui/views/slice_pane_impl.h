#pragma once
// Implementation of SlicePane: camera, painting, mouse.

#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <QRegion>
#include <QString>
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "ui/base/look.h"
#include "ui/views/profile_tool.h"
#include "ui/views/slice_image.h"
#include "ui/views/slice_pane.h"
#include "ui/views/view_model.h"

namespace sscope {

// The parts of the pane that show source and result, in logical pixels of the pane.
struct SliceSides {
  const ViewModel& model;
  QRectF pane;
  QRectF slice{};  // of the whole slice; only for the checkerboard

  // The area of the camera of a side: the pane, or its half if the sides are next to each other.
  [[nodiscard]] QRectF area(std::size_t side) const;
  // The side under a point; kResultSide for a difference.
  [[nodiscard]] std::size_t at(const QPointF& position) const;
  // Whether the side is visible, and where.
  [[nodiscard]] bool seen(std::size_t side) const;
  [[nodiscard]] QRegion part(std::size_t side) const;
  // The text on the side.
  [[nodiscard]] QString name(std::size_t side) const;

  [[nodiscard]] double dividerX() const { return pane.left() + model.compare.divider * pane.width(); }
  [[nodiscard]] bool onDivider(const QPointF& position, double reach) const;

 private:
  [[nodiscard]] QRegion fields(std::size_t side) const;
  [[nodiscard]] double fieldLength() const;
};

struct SlicePane::Impl {
  static constexpr double kMargin = 1.04;        // of the fitted slice's surroundings
  static constexpr double kDividerReach = 0.4;   // of the mouse, in lines of text
  static constexpr std::size_t kDifference = 2;  // the layer of the difference, after those of the sides

  enum class Drag { None, Crosshair, Window, Pan, Divider, Line, NewLine };

  SlicePane& pane;
  VolumeViews::View view;
  const ViewModel& model;
  SlicePlane plane;
  SliceCamera camera;  // unitsPerPixel counts logical pixels here
  bool fitted = true;  // the user has not moved the camera: it follows the size
  std::array<SliceLayer, 3> layers{};
  std::array<StretchedPicture, 3> stretched{};  // those layers on the screen
  QString status, wordsWithoutData;
  Drag drag = Drag::None;
  std::size_t dragSide = 0;
  QPointF dragFrom;
  SliceCamera dragCamera;
  std::array<double, 2> dragWindow{};
  double dragRange = 1;
  ProfileTool tool{};
  bool straight = false;  // the line is drawn along an axis
  int wheelRest = 0;
  std::optional<QPointF> mouse;  // its position over the pane

  [[nodiscard]] SliceSides sides() const {
    SliceSides sides{model, QRectF(QPointF(0, 0), QSizeF(pane.size()))};
    if (model.overlaid()) {
      const double left = -plane.spacing[plane.across] / 2, bottom = -plane.spacing[plane.up] / 2;
      sides.slice =
          QRectF(place(sides.pane, left, bottom + plane.height()), place(sides.pane, left + plane.width(), bottom));
    }
    return sides;
  }
  [[nodiscard]] std::size_t sideAt(const QPointF& p) const { return sides().at(p); }
  [[nodiscard]] bool onDivider(const QPointF& p) const {
    return model.source && sides().onDivider(p, em(&pane, kDividerReach));
  }
  [[nodiscard]] std::size_t firstSide() const { return model.shown[kSourceSide] ? kSourceSide : kResultSide; }

  void fit() {
    const QRectF area = sides().area(firstSide());
    if (area.isEmpty()) return;
    camera.across = (plane.width() - plane.spacing[plane.across]) / 2;
    camera.up = (plane.height() - plane.spacing[plane.up]) / 2;
    camera.unitsPerPixel = kMargin * std::max(plane.width() / area.width(), plane.height() / area.height());
  }

  [[nodiscard]] QPointF place(const QRectF& area, double across, double up) const {
    const QPointF middle = area.center();
    return {middle.x() + (across - camera.across) / camera.unitsPerPixel,
            middle.y() - (up - camera.up) / camera.unitsPerPixel};
  }
  [[nodiscard]] QPointF toPane(double across, double up, std::size_t side) const {
    return place(sides().area(side), across, up);
  }
  [[nodiscard]] std::array<double, 2> toPlane(const QPointF& p, std::size_t side) const {
    const QPointF middle = sides().area(side).center();
    return {camera.across + (p.x() - middle.x()) * camera.unitsPerPixel,
            camera.up - (p.y() - middle.y()) * camera.unitsPerPixel};
  }

  // The line of a profile, if it lies in this plane.
  [[nodiscard]] const ProfileLine* line() const {
    return model.profiling && model.profile && model.profile->axis == plane.normal ? &*model.profile : nullptr;
  }
  // The position of the index across in a SlicePoint.
  [[nodiscard]] std::size_t acrossPlace() const { return plane.across < plane.up ? 0 : 1; }
  [[nodiscard]] ProfileTool::Place placeOn(std::size_t side) const {
    return [this, side](const SlicePoint& point) {
      return toPane(plane.acrossOf(point[acrossPlace()]), plane.upOf(point[1 - acrossPlace()]), side);
    };
  }
  [[nodiscard]] SlicePoint slicePoint(const QPointF& p) const;
  [[nodiscard]] ProfileTool::Part linePart(const QPointF& p) const;
  void beginLine(const QPointF& p);
  // Moves the line by one voxel in the direction of an arrow key on the screen. False: there is no line here.
  [[nodiscard]] bool moveLine(int key, bool secondEnd) const;

  // Brings the pictures up to date for `scale` physical pixels a logical one.
  void updateLayers(double scale);
  [[nodiscard]] SliceContent content(std::size_t layer) const;

  void refresh() {
    if (model.source) {
      if (fitted) fit();
      updateLayers(pane.devicePixelRatioF());
    }
    pane.update();
    emitHovered();
  }

  // Another voxel may be under a mouse that did not move.
  void emitHovered() const {
    if (!mouse) return;
    const Hit under = pane.hit(*mouse);
    Q_EMIT pane.hovered(under.inside, under.voxel);
  }

  // Zooms by `factor`, keeping what is under `at` where it is.
  void zoom(double factor, const QPointF& at);

  void paint(QPainter& painter);
  void paintPicture(QPainter& painter, const SliceSides& sides, std::size_t side);

  void paintDivider(QPainter& painter, double x) const;

  // For the corner: the status, and the norms of the difference.
  [[nodiscard]] QString words() const;

  void showCursor(const QPointF& p) const;

  void moveDivider(double divider) const { Q_EMIT pane.dividerMoved(std::clamp(divider, 0.0, 1.0)); }

  void dragTo(const QPointF& p);
};

}  // namespace sscope
