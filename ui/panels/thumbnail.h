#pragma once

#include <QImage>

#include "core/volume/volume.h"

namespace sscope {

// The middle axial slice of the first component in gray, black at the smallest and white at the largest value.
[[nodiscard]] QImage thumbnail(const Volume& volume);

}  // namespace sscope
