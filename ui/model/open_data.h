#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/session/session.h"
#include "core/volume/volume_io.h"

namespace sscope {

// The open data: voxels, origin and metadata. Immutable.
struct OpenData {
  DataSource source;
  std::shared_ptr<const Volume> volume;
  VolumeInfo info;
  std::string name;            // of data from neither a file nor a sample, such as a field of the Lattice room
  std::uint64_t identity = 0;  // unique for every load; engines use it to keep device copies
  // The same nonzero number for all time points of a file, which share the view.
  std::uint64_t series = 0;
  std::shared_ptr<const LoadedVolume> allFrames;  // of the file, if in memory
  std::optional<std::int64_t> frame;              // the open one, from 0; empty: all of them, as components
  [[nodiscard]] int frames() const { return series == 0 ? 1 : info.fileFrames; }
};

// "brain.nii.gz", "foam", or the name above.
[[nodiscard]] QString dataTitle(const OpenData& data);

}  // namespace sscope
