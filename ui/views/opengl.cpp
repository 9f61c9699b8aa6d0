#include "ui/views/opengl.h"

#include <QSurfaceFormat>

namespace sscope {

void setDefaultOpenGlFormat() {
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  format.setSamples(0);
  QSurfaceFormat::setDefaultFormat(format);
}

bool isSoftwareRenderer(const QByteArray& renderer) {
  const QByteArray lower = renderer.toLower();
  return lower.contains("llvmpipe") || lower.contains("softpipe") || lower.contains("svga") ||
         lower.contains("swiftshader") || lower.contains("software");
}

}  // namespace sscope
