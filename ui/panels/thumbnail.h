#pragma once

#include <QImage>

#include "core/volume/volume.h"

namespace sscope {

// The middle axial slice of the first component in gray, with the smallest value black and the largest white.
[[nodiscard]] QImage thumbnail(const Volume& volume);

}  // namespace sscope
