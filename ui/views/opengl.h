#pragma once
// OpenGL settings for VTK.

#include <QByteArray>

namespace sscope {

// Sets the version and buffers of all surfaces; call once before the QApplication is created. VTK does its own
// multisampling.
void setDefaultOpenGlFormat();

// Whether this renderer string (GL_RENDERER) names software (llvmpipe, softpipe, SVGA), not a graphics processor.
[[nodiscard]] bool isSoftwareRenderer(const QByteArray& renderer);

}  // namespace sscope
