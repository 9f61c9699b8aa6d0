#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/session/session.h"
#include "core/volume/volume_io.h"

namespace sscope {

// What is open now: the voxels, where they came from and what the file said. Never changes after it was made.
struct OpenData {
  DataSource source;
  std::shared_ptr<const Volume> volume;
  VolumeInfo info;
  std::string name;  // of data that come from neither a file nor a sample, such as a field of the Lattice room
  std::uint64_t identity = 0;  // differs for every loading; engines keep device copies by it
  // Points in time of one file have the same number here, not 0: what is seen of one is seen of the others.
  std::uint64_t series = 0;
  std::shared_ptr<const LoadedVolume> allFrames;  // of the file, where they are at hand
  std::optional<std::int64_t> frame;              // the one that is open, from 0; empty: all of them, as components
  [[nodiscard]] int frames() const { return series == 0 ? 1 : info.fileFrames; }
};

// "brain.nii.gz", "foam", or the name above.
[[nodiscard]] QString dataTitle(const OpenData& data);

}  // namespace sscope
