#pragma once
// The name under which the programs ask for VTK's OpenGL format.

#include "ui/views/opengl.h"

namespace sscope {

struct VtkView {
  static void setDefaultFormat() { setDefaultOpenGlFormat(); }
};

}  // namespace sscope
