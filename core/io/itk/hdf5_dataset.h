#pragma once
// Any dataset of numbers in an HDF5 file, by its path: of detectors, of simulations, of ilastik. Axes are taken as HDF5
// has them, the slowest first: y x of two, z y x of three; what comes before these are components.

#include <string>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/planes/decoded_planes.h"

namespace sscope::io {

// Whether ITK wrote the file: its own reader knows where the image lies.
[[nodiscard]] bool isItkHdf5(const std::string& path);

// `dataset`: "/entry/data"; empty: the only one there is. Throws Error(Usage), with those that there are, where it is
// another or none of several; Error(Unsupported) for one that holds no numbers, has other than 2 to 5 axes, or is
// packed by a filter that is missing here; Error(BadData).
[[nodiscard]] VolumeInfo readHdf5Dataset(const std::string& path, const std::string& dataset,
                                         const AllocateVoxels& allocate, const Control& control);
// Its datasets of numbers, in the order of their names; none of an image of ITK's or MINC's.
[[nodiscard]] std::vector<FilePart> partsOfHdf5(const std::string& path);
// As readHdf5Dataset(), some planes at a time. Throws Error(Unsupported) for components and 64-bit integers.
[[nodiscard]] DecodedPlanes openHdf5Planes(const std::string& path, const std::string& dataset, const Control& control);

}  // namespace sscope::io
