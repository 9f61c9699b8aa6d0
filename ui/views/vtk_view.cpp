#include "ui/views/vtk_view.h"

#include <cmath>

#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>
#include <vtkUnsignedCharArray.h>

namespace sscope {

struct VtkView::Bridge {
  vtkNew<vtkGenericOpenGLRenderWindow> window;
  vtkNew<vtkCallbackCommand> makeCurrent, isCurrent;
  QOpenGLContext* context = nullptr;
  // Remembered because QOpenGLWidget::makeCurrent() binds the widget's framebuffer behind the back of VTK's state
  // cache; VTK must get the bare context on the same surface.
  QSurface* surface = nullptr;
  bool dirty = true;
  bool software = false;

  [[nodiscard]] bool current() const { return context != nullptr && QOpenGLContext::currentContext() == context; }
};

bool isSoftwareRenderer(const QByteArray& renderer) {
  const QByteArray lower = renderer.toLower();
  return lower.contains("llvmpipe") || lower.contains("softpipe") || lower.contains("svga") ||
         lower.contains("swiftshader") || lower.contains("software");
}

void VtkView::setDefaultFormat() {
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  format.setSamples(0);  // VTK does its own multisampling
  format.setSwapBehavior(QSurfaceFormat::DoubleBuffer);
  QSurfaceFormat::setDefaultFormat(format);
}

VtkView::VtkView(QWidget* parent) : QOpenGLWidget(parent), bridge_(std::make_unique<Bridge>()) {
  Bridge& b = *bridge_;
  b.window->SetReadyForRendering(false);
  b.window->SetFrameBlitModeToNoBlit();
  b.window->SetOwnContext(0);
  b.window->SetMultiSamples(0);

  b.makeCurrent->SetClientData(&b);
  b.makeCurrent->SetCallback([](vtkObject*, unsigned long, void* client, void*) {
    auto* self = static_cast<Bridge*>(client);
    if (self->context != nullptr && !self->current()) self->context->makeCurrent(self->surface);
  });
  b.window->AddObserver(vtkCommand::WindowMakeCurrentEvent, b.makeCurrent);
  b.isCurrent->SetClientData(&b);
  b.isCurrent->SetCallback([](vtkObject*, unsigned long, void* client, void* answer) {
    *static_cast<bool*>(answer) = static_cast<Bridge*>(client)->current();
  });
  b.window->AddObserver(vtkCommand::WindowIsCurrentEvent, b.isCurrent);

  // Also fires when the scale of the screen changes.
  connect(this, &QOpenGLWidget::resized, this, &VtkView::updateSize);
}

VtkView::~VtkView() { releaseGl(); }

void VtkView::releaseGl() {
  Bridge& b = *bridge_;
  if (b.context == nullptr) return;
  disconnect(b.context, nullptr, this, nullptr);
  makeCurrent();
  b.window->Finalize();
  doneCurrent();
  b.window->SetReadyForRendering(false);
  b.context = nullptr;
  b.surface = nullptr;
}

vtkGenericOpenGLRenderWindow* VtkView::renderWindow() const { return bridge_->window; }
bool VtkView::isSoftwareOpenGl() const { return bridge_->software; }

void VtkView::scheduleRender() {
  bridge_->dirty = true;
  update();
}

void VtkView::updateSize() {
  const double ratio = devicePixelRatioF();
  bridge_->window->SetSize(static_cast<int>(std::lround(width() * ratio)),
                           static_cast<int>(std::lround(height() * ratio)));
  bridge_->window->SetDPI(static_cast<int>(std::lround(72 * ratio)));
  scheduleRender();
}

void VtkView::initializeGL() {
  Bridge& b = *bridge_;
  b.context = context();
  b.surface = context()->surface();
  // The context dies before the widget when the widget moves to another window.
  connect(b.context, &QOpenGLContext::aboutToBeDestroyed, this, &VtkView::releaseGl);
  b.window->GetState()->Reset();
  b.window->OpenGLInitContext();
  b.window->SetReadyForRendering(true);
  b.window->SetMapped(1);
  const auto* renderer = reinterpret_cast<const char*>(b.context->functions()->glGetString(GL_RENDERER));
  b.software = isSoftwareRenderer(renderer);
  updateSize();
}

void VtkView::paintGL() {
  Bridge& b = *bridge_;
  vtkOpenGLState* state = b.window->GetState();
  state->Reset();
  state->Push();
  state->vtkglDepthFunc(GL_LEQUAL);
  if (b.dirty) {
    b.dirty = false;
    b.window->Render();
  }
  makeCurrent();
  QOpenGLFunctions* gl = context()->functions();
  state->vtkglBindFramebuffer(GL_DRAW_FRAMEBUFFER, defaultFramebufferObject());
  state->vtkglDrawBuffer(GL_COLOR_ATTACHMENT0);
  state->vtkglDisable(GL_SCISSOR_TEST);
  const int* rendered = b.window->GetRenderFramebuffer()->GetLastSize();
  const double ratio = devicePixelRatioF();
  const int w = static_cast<int>(std::lround(width() * ratio)), h = static_cast<int>(std::lround(height() * ratio));
  b.window->BlitDisplayFramebuffer(0, 0, 0, rendered[0], rendered[1], 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  // Qt blends the widget with what is behind it: without an opaque alpha the background is transparent.
  state->vtkglColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  state->vtkglClearColor(0, 0, 0, 1);
  gl->glClear(GL_COLOR_BUFFER_BIT);
  state->vtkglColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  state->Pop();
}

QImage VtkView::renderToImage(const QSize& pixels) {
  Bridge& b = *bridge_;
  if (b.context == nullptr || pixels.isEmpty()) return {};
  makeCurrent();
  vtkOpenGLState* state = b.window->GetState();
  state->Reset();
  state->Push();
  b.window->SetSize(pixels.width(), pixels.height());
  b.window->Render();
  vtkNew<vtkUnsignedCharArray> rgba;
  b.window->GetRGBACharPixelData(0, 0, pixels.width() - 1, pixels.height() - 1, 1, rgba);
  state->Pop();
  doneCurrent();
  const QImage upsideDown(rgba->GetPointer(0), pixels.width(), pixels.height(), QImage::Format_RGBA8888);
  QImage image = upsideDown.mirrored().convertToFormat(QImage::Format_RGB32);
  updateSize();
  return image;
}

}  // namespace sscope
