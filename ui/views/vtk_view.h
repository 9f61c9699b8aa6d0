#pragma once
// A VTK render window inside a Qt widget. Debian's VTK is built against Qt 5, so its own bridge cannot be used.

#include <memory>

#include <QImage>
#include <QOpenGLWidget>

class vtkGenericOpenGLRenderWindow;
class vtkRenderWindowInteractor;

namespace sscope {

// Owns a VTK render window that draws into this widget. Add renderers to renderWindow(), then ask for a picture with
// scheduleRender(); many requests cost one render.
class VtkView : public QOpenGLWidget {
  Q_OBJECT

 public:
  // Call once before the QApplication is made: the OpenGL version and buffers that VTK needs.
  static void setDefaultFormat();

  explicit VtkView(QWidget* parent = nullptr);
  ~VtkView() override;

  [[nodiscard]] vtkGenericOpenGLRenderWindow* renderWindow() const;
  [[nodiscard]] vtkRenderWindowInteractor* interactor() const;

  // Mouse and key events go to the VTK interactor (off by default: the views handle them themselves).
  void setInteractive(bool on);
  // Renders before the next repaint.
  void scheduleRender();
  // Draws the scene at `pixels` (not multiplied by the device pixel ratio) and gives it back; a null image where
  // OpenGL is missing.
  [[nodiscard]] QImage renderToImage(const QSize& pixels);
  // True when the processor draws (llvmpipe, softpipe, SVGA); known after the first paint.
  [[nodiscard]] bool isSoftwareOpenGl() const;

 protected:
  void initializeGL() override;
  void paintGL() override;
  bool event(QEvent* event) override;

 private:
  struct Bridge;
  std::unique_ptr<Bridge> bridge_;
};

}  // namespace sscope
