#pragma once
// The view settings of the laboratory in the Filter room.

#include <string>

#include "core/options/settings.h"

namespace sscope {

struct LaboratoryView {
  bool shown = false;
  std::string page = "spectrum";  // "impulse", "spectrum", "curves", "coverage", "correlation"
  std::string from = "row";       // "row": the filter by itself; "source": from the data, through the rows it reads
  int across = 2;                 // 0..2: planes lie across this axis
  double frequency = 0;           // position along that axis, for spectra: -1/2 to 1/2 cycles per voxel
  int offset = 0;                 // position along that axis, for impulse responses: voxels
  std::string unit = "voxel";     // of frequencies: cycles per "voxel" or per "length"
  bool operator==(const LaboratoryView&) const = default;
  [[nodiscard]] static const SettingsTable& table();
};

}  // namespace sscope
