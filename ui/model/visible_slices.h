#pragma once
// What the views show: which slices of a volume are on the screen, since only these are computed before the whole; and
// whether the shown filter keeps the mean.

#include <array>
#include <cstddef>
#include <string>

#include "core/volume/volume.h"
#include "ui/model/session_model.h"

namespace sscope {

// The slice that a pane shows, in the order z, y, x, in which a runner previews slices. Panes 0 to 2 are axial, coronal
// and sagittal by the axes of the body, which may differ from those of the index.
[[nodiscard]] std::size_t sliceOfPane(std::size_t pane, const Volume& data);

// The slices that a layout ("all", "axial", ..., "volume") shows, in the same order; an image has one slice.
[[nodiscard]] std::array<bool, 3> seenSlices(const std::string& layout, const Volume& data);

// Whether the shown filter keeps the mean of the data, so that its result is the same quantity: its taps sum to 1, or
// it selects one of the values it reads, and so does every row from the data to it. False if there is no filter.
[[nodiscard]] bool shownFilterKeepsMean(const SessionModel& model);

}  // namespace sscope
