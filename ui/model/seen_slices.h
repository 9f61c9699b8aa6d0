#pragma once
// Which slices of a volume are on the screen: only these are worth computing before the whole.

#include <array>
#include <cstddef>
#include <string>

#include "core/volume/volume.h"

namespace sscope {

// Of slices in the order z, y, x, as a runner previews them: the one that a pane shows. Panes, 0 to 2, are axial,
// coronal and sagittal by the body's axes, which need not be those of the index.
[[nodiscard]] std::size_t sliceOfPane(std::size_t pane, const Volume& data);

// In the same order, those that a layout ("all", "axial", ..., "volume") shows; of an image always its one slice.
[[nodiscard]] std::array<bool, 3> seenSlices(const std::string& layout, const Volume& data);

}  // namespace sscope
