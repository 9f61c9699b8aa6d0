#pragma once
// One slice view: the source, the result, or both next to each other or at one place, with one camera.

#include <array>
#include <memory>

#include <QImage>
#include <QWidget>

#include "ui/views/slice_plane.h"
#include "ui/views/view_model.h"
#include "ui/views/volume_views.h"

namespace sscope {

class SlicePane : public QWidget {
  Q_OBJECT

 public:
  SlicePane(VolumeViews::View view, const ViewModel& model, QWidget* parent);
  ~SlicePane() override;

  // After setSource: sets the plane of the new data and shows the whole slice.
  void setPlane(const SlicePlane& plane);
  [[nodiscard]] const SlicePlane& plane() const;
  // After any other change of the model; does only what the change needs.
  void refresh();
  void setStatusText(const QString& text);
  [[nodiscard]] QString statusText() const;
  // Shown while there are no data.
  void setWordsWithoutData(const QString& text);
  void resetCamera();

  // The position of the center of a voxel on one side, in logical pixels of this widget; and the voxel under a
  // position, with the crosshair's index along the normal, and its side.
  [[nodiscard]] QPointF positionOf(const std::array<std::int64_t, 3>& voxel, std::size_t side) const;
  struct Hit {
    bool inside = false;
    std::array<std::int64_t, 3> voxel{};
    std::size_t side = kSourceSide;
  };
  [[nodiscard]] Hit hit(const QPointF& position) const;

  // The pane at another resolution: `scale` physical pixels a logical one.
  [[nodiscard]] QImage renderToImage(double scale);

 Q_SIGNALS:
  void picked(std::array<std::int64_t, 3> voxel);
  void stepped(int axis, int slices);
  void windowDragged(int side, double low, double high);
  void rangeDragged(double range);    // of the difference
  void dividerMoved(double divider);  // of the swipe, as in CompareLook
  void hovered(bool inside, std::array<std::int64_t, 3> voxel);
  void profileDragged(const sscope::ProfileLine& line);
  void profileDropped();
  void activated();  // by mouse or keyboard focus
  void maximizeRequested();
  void painted();
  void menuRequested(const QPoint& at);  // in coordinates of the screen

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sscope
