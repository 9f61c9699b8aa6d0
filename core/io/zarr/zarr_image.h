#pragma once
// What OME-Zarr says of the images in a store: which there are, what their axes mean, and at which levels of a pyramid
// they are there. Versions 0.4 and 0.5, and what 0.1 to 0.3 had of it. An array without a word of that is an image,
// too.

#include <cstddef>
#include <string>
#include <vector>

#include "core/io/zarr/zarr_array.h"
#include "core/volume/selection.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

enum class ZarrRole : std::uint8_t { x, y, z, time, channel };

struct ZarrAxis {
  ZarrRole role = ZarrRole::channel;
  std::string unit;
  double scale = 1, translation = 0;  // position of the i-th: scale * i + translation, in `unit`
};

struct ZarrImage {
  ZarrArray array;             // of the chosen level
  std::vector<ZarrAxis> axes;  // one for each axis of the array
  bool placed = false;         // somebody gave the scales
  std::string assumed;         // of "xyz" those axes of which a writer of ours knew that nobody had
  std::string format;          // "OME-Zarr 0.4", "Zarr 2 array"
  std::vector<std::string> channels;
  bool labels = false, inSpace = false;
  std::string valueUnit, provenance;  // of ours
  std::size_t levels = 1;
  bool reduced = false;  // not the full resolution
  std::vector<std::string> notices;
};

// The image that `selection` names: by a path in the store (selection.dataset), by the number of a series, by a level.
// Throws Error(Usage), with those that there are, where it is none; Error(BadData, Unsupported).
[[nodiscard]] ZarrImage findZarrImage(const ZarrStore& store, const Selection& selection);

// All that there are. Throws as above.
[[nodiscard]] std::vector<FilePart> partsOfZarr(const ZarrStore& store, const Selection& selection);

// What a program needs to know of it. Throws Error(BadData).
[[nodiscard]] VolumeInfo describeZarr(const ZarrImage& image, const std::string& shown);

}  // namespace sscope::io
