#pragma once
// Datasets in HDF5 files, by their path: of detectors, of simulations, of ilastik; and images in ITK's layout. The axes
// are the slowest first: y x of two, z y x of three; axes before these are components.

#include <string>
#include <vector>

#include "core/io/planes/located.h"

namespace sscope::io {

// `dataset`: "/entry/data"; empty: ITK's image, or the only dataset. Throws Error(Usage), with the list of datasets,
// where there is no such dataset or one must be chosen; Error(Unsupported) for one that holds no numbers, has other
// than 2 to 5 axes, or is packed by a filter that is missing here; Error(BadData).
[[nodiscard]] LocatedVolume locateHdf5(const std::string& path, const std::string& dataset, const Control& control);
// The datasets of numbers in the order of their names; empty for an image of ITK's or MINC's.
[[nodiscard]] std::vector<FilePart> partsOfHdf5(const std::string& path);

}  // namespace sscope::io
