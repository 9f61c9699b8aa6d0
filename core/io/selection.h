#pragma once
// A choice behind the name of an input: "run.nii.gz@t=3", "cells.tif@c=1,t=0", "scans@series=2".

#include <optional>
#include <string>

#include "core/io/decoder.h"

namespace sscope::io {

struct Selection {
  std::string path;                            // the name without the choice
  std::optional<std::int64_t> frame, channel;  // counted from 0
  int series = 0;                              // counted from 1; 0: none is chosen
  [[nodiscard]] bool some() const { return frame || channel; }
};

// A name that exists as it stands is taken as it stands. Throws Error(Usage) for a choice that cannot be understood.
[[nodiscard]] Selection parseSelection(const std::string& name);

// Reads with `decode` and keeps the chosen frame and channel of every voxel. Throws Error(Usage) when there are fewer.
[[nodiscard]] VolumeInfo readSelected(const Selection& selection, const Decode& decode, const AllocateVoxels& allocate,
                                      const Control& control);

}  // namespace sscope::io
