#pragma once
// A VTK render window inside a Qt widget. Debian's VTK is built against Qt 5, so its own bridge cannot be used.

#include <memory>

#include <QImage>
#include <QOpenGLWidget>

class vtkGenericOpenGLRenderWindow;

namespace sscope {

// Owns a VTK render window that draws into this widget. Add renderers to renderWindow(), change the scene, then call
// scheduleRender(); many calls cost one render. Events stay with Qt: there is no VTK interactor.
class VtkView : public QOpenGLWidget {
  Q_OBJECT

 public:
  // Call once before the QApplication is made: the OpenGL version and buffers that VTK needs.
  static void setDefaultFormat();

  explicit VtkView(QWidget* parent = nullptr);
  ~VtkView() override;

  [[nodiscard]] vtkGenericOpenGLRenderWindow* renderWindow() const;
  // Renders before the next repaint.
  void scheduleRender();
  // Draws the scene at `pixels` (physical ones, whatever the device pixel ratio) and gives it back; a null image
  // before the first paint and where OpenGL is missing.
  [[nodiscard]] QImage renderToImage(const QSize& pixels);
  // True when the processor draws (llvmpipe, softpipe, SVGA); known after the first paint.
  [[nodiscard]] bool isSoftwareOpenGl() const;

 protected:
  void initializeGL() override;
  void paintGL() override;

 private:
  void updateSize();
  void releaseGl();

  struct Bridge;
  std::unique_ptr<Bridge> bridge_;
};

// Whether this renderer string (GL_RENDERER) names a program rather than a graphics processor.
[[nodiscard]] bool isSoftwareRenderer(const QByteArray& renderer);

}  // namespace sscope
