#pragma once
// The OpenGL that VTK needs.

#include <QByteArray>

namespace sscope {

// Call once before the QApplication is made: version and buffers of every surface. VTK does its own multisampling.
void setDefaultOpenGlFormat();

// Whether this renderer string (GL_RENDERER) names a program (llvmpipe, softpipe, SVGA) rather than a graphics
// processor.
[[nodiscard]] bool isSoftwareRenderer(const QByteArray& renderer);

}  // namespace sscope
