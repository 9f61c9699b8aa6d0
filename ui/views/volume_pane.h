#pragma once
// The 3D view: requests pictures, shows the newest, and rotates with the mouse.

#include <memory>
#include <optional>

#include <QImage>
#include <QWidget>

#include "ui/views/view_model.h"
#include "ui/views/volume_renderer.h"

namespace sscope {

class VolumePane : public QWidget {
  Q_OBJECT

 public:
  VolumePane(const ViewModel& model, QWidget* parent);
  ~VolumePane() override;

  // After setSource: moves the camera to its default pose for the new data.
  void resetCamera();
  // After a change of volumes, component or sides: redraws after a short pause in changes.
  void refreshVolumes();
  // After a change of the component that others follow closely: draws a coarse picture at once, and a fine one after
  // the last change.
  void playVolumes();
  // After a change of how volumes appear: a coarse picture at once, and a fine one after the last change.
  void refreshLook();
  // Properties of a side's data; null before its first picture.
  [[nodiscard]] std::shared_ptr<const VolumeInsight> insight(std::size_t side) const;
  // While a slider moves: postpones refinement until changes pause.
  void holdBack();
  // After a change of the crosshair: only the marks over the picture.
  void refreshMarks();
  void setStatusText(const QString& text);
  // Waits for the finest picture.
  [[nodiscard]] QImage renderToImage(double scale);
  // The status text, which also reports an outdated picture.
  [[nodiscard]] QString words() const;
  // The time between two pictures while the view moves or moved last: the median of the last ones; empty before.
  [[nodiscard]] std::optional<double> frameSeconds() const;
  // Whether a finer picture is being drawn.
  [[nodiscard]] bool refining() const;

 Q_SIGNALS:
  void maximizeRequested();
  void menuRequested(const QPoint& at);  // in coordinates of the screen
  void pictureShown();
  void insightsChanged();
  void refiningChanged(bool refining);  // a hidden pane refines nothing

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sscope
