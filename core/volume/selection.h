#pragma once
// The end of an input's name: a selection, as in "run.nii.gz@t=3", "cells.tif@c=1,t=0", "scans@series=2",
// "all.npz@array=mask", and corrections (core/volume/correction.h). In names of arrays and datasets, the characters @ ,
// % and unprintable ones are written as %40, as in URLs.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/control.h"
#include "core/volume/correction.h"
#include "core/volume/volume_io.h"

namespace sscope {

struct Selection {
  std::string path;                            // the name without the selection
  std::string dataset;                         // in an HDF5 file or a store: "/entry/data" of "x.h5:/entry/data"
  std::optional<std::int64_t> frame, channel;  // counted from 0
  int series = 0;                              // counted from 1; 0: none selected
  std::optional<int> level;                    // of a pyramid, counted from 0, the full resolution
  std::string array;                           // by its name; empty: none selected
  Correction correction;
  [[nodiscard]] bool some() const { return frame || channel; }
  // A correction of the axes changes frames and channels, so their selection is removed.
  void correct(const Correction& now);
  // The selected part in the form of FilePart::selector; empty: none.
  [[nodiscard]] std::string part() const;
  // The name with the selection appended.
  [[nodiscard]] std::string name() const;
};

// A name as written in a selection; unquoted() keeps a % that is not followed by two digits.
[[nodiscard]] std::string quotedName(const std::string& name);
[[nodiscard]] std::string unquotedName(const std::string& text);

// A name that exists as a file is taken literally. Throws Error(Usage) for an invalid selection.
[[nodiscard]] Selection parseSelection(const std::string& name);
// The same name with another frame selected, or none. Throws as above.
[[nodiscard]] std::string withFrame(const std::string& name, std::optional<std::int64_t> frame);
// The same name with this part selected. Throws as above.
[[nodiscard]] std::string withPart(const std::string& name, const FilePart& part);
// "512 x 512 x 60 u16", as far as it is known.
[[nodiscard]] std::string partSize(const FilePart& part);
// "@series=1 (axial, 512 x 512 x 60 u16), @series=2 (...), ...": the first few.
[[nodiscard]] std::string partsText(const std::vector<FilePart>& parts);

// The components of each voxel that a selection keeps: `count` of them, `step` apart, from `first` on.
struct ChosenComponents {
  std::int64_t first = 0, count = 1, step = 1;
};
// Throws Error(Usage) if there are fewer frames or channels.
[[nodiscard]] ChosenComponents chosenComponents(const Selection& selection, const VolumeInfo& info);
// The notice for channels or frames held as components: "the 3 channels are held as components".
[[nodiscard]] std::string heldAsComponents(const std::string& what);
// The info for the selected components; keeps that notice only if it is still true.
[[nodiscard]] VolumeInfo chosenInfo(const Selection& selection, VolumeInfo info, const ChosenComponents& chosen);
// Copies the selected components from `voxels` voxels of `components` elements of `bytes` bytes.
void copyChosen(const std::byte* in, std::size_t components, const ChosenComponents& chosen, std::size_t voxels,
                std::size_t bytes, std::byte* out, const Control& control);

// One frame of a volume that holds all frames of its file. Throws Error(Usage, Memory) or Canceled.
[[nodiscard]] LoadedVolume frameOf(const LoadedVolume& all, std::int64_t frame, const Control& control);

}  // namespace sscope
