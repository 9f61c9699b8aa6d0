#pragma once
// The 3D view: asks for pictures, shows the newest, turns with the mouse.

#include <memory>

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

  // After setSource: looks at the new data from the start.
  void resetCamera();
  // After a change of volumes, component or sides: a new picture once things have been quiet for a moment.
  void refreshVolumes();
  // After a change of the component that others follow closely: a quick picture at once, a fine one when it rests.
  void playVolumes();
  // While a slider moves: what is still being refined waits until things are quiet.
  void holdBack();
  // After a change of the crosshair: only the marks over the picture.
  void refreshMarks();
  void setStatusText(const QString& text);
  // The finest picture, waiting for it.
  [[nodiscard]] QImage renderToImage(double scale);
  // What is shown, in words: an earlier picture says so until the new one is there.
  [[nodiscard]] QString words() const;
  // True while a finer picture is on its way.
  [[nodiscard]] bool refining() const;

 Q_SIGNALS:
  void maximizeRequested();
  void menuRequested(const QPoint& at);  // in coordinates of the screen
  void pictureShown();
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
