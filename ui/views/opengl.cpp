#include "ui/views/opengl.h"

#include <vtkAutoInit.h>
#include <QSurfaceFormat>

// What VTK's abstract classes are made of: its modules enter themselves where one of their initializers is linked,
// which vtk_module_autoinit would do by a header in the build folder, in every object.
VTK_MODULE_INIT(vtkRenderingOpenGL2)
VTK_MODULE_INIT(vtkRenderingVolumeOpenGL2)
VTK_MODULE_INIT(vtkRenderingContextOpenGL2)
VTK_MODULE_INIT(vtkRenderingFreeType)
VTK_MODULE_INIT(vtkInteractionStyle)

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
