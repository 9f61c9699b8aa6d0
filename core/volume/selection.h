#pragma once
// A choice behind the name of an input: "run.nii.gz@t=3", "cells.tif@c=1,t=0", "scans@series=2".

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope {

struct Selection {
  std::string path;                            // the name without the choice
  std::optional<std::int64_t> frame, channel;  // counted from 0
  int series = 0;                              // counted from 1; 0: none is chosen
  [[nodiscard]] bool some() const { return frame || channel; }
  // The name with the choice behind it.
  [[nodiscard]] std::string name() const;
};

// A name that exists as it stands is taken as it stands. Throws Error(Usage) for a choice that cannot be understood.
[[nodiscard]] Selection parseSelection(const std::string& name);
// The same name with another frame chosen, or none. Throws as above.
[[nodiscard]] std::string withFrame(const std::string& name, std::optional<std::int64_t> frame);

// Which components of each voxel a choice keeps: `count` of them, `step` apart, from `first` on.
struct ChosenComponents {
  std::int64_t first = 0, count = 1, step = 1;
};
// Throws Error(Usage) when there are fewer frames or channels.
[[nodiscard]] ChosenComponents chosenComponents(const Selection& selection, const VolumeInfo& info);
// The notice that components hold several of what a file has: "the 3 channels are held as components".
[[nodiscard]] std::string heldAsComponents(const std::string& what);
// What is told of the chosen components: that notice only as far as it is still true.
[[nodiscard]] VolumeInfo chosenInfo(const Selection& selection, VolumeInfo info, const ChosenComponents& chosen);
// Out of `voxels` voxels of `components` elements, `bytes` each.
void copyChosen(const std::byte* in, std::size_t components, const ChosenComponents& chosen, std::size_t voxels,
                std::size_t bytes, std::byte* out, const Control& control);

// Of a volume that holds all frames of its file: one of them. Throws Error(Usage, Memory) or Canceled.
[[nodiscard]] LoadedVolume frameOf(const LoadedVolume& all, std::int64_t frame, const Control& control);

}  // namespace sscope
