#include "ui/model/seen_slices.h"

#include <algorithm>

#include "ui/views/slice_plane.h"

namespace sscope {

std::size_t sliceOfPane(std::size_t pane, const Volume& data) {
  // As VolumeViews places its planes.
  return data.shape().dimensions() == 2 ? pane : 2 - indexAxesOf(data.geometry())[2 - pane];
}

std::array<bool, 3> seenSlices(const std::string& layout, const Volume& data) {
  if (data.shape().dimensions() == 2) return {true, false, false};
  static const std::array<std::string, 3> kPanes{"axial", "coronal", "sagittal"};
  const bool all = layout != "volume" && std::ranges::find(kPanes, layout) == kPanes.end();
  std::array<bool, 3> seen{};
  for (std::size_t pane = 0; pane < kPanes.size(); ++pane)
    seen[sliceOfPane(pane, data)] = layout == kPanes[pane] || all;
  return seen;
}

}  // namespace sscope
