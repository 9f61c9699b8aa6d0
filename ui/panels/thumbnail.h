#pragma once

#include <QImage>

#include "core/volume/volume.h"

namespace sscope {

// The middle axial slice of the first component in gray, with the smallest value black and the largest white. With a
// longest edge, in pixels, it has this one, of points of the slice.
[[nodiscard]] QImage thumbnail(const Volume& volume, int longest = 0);

}  // namespace sscope
