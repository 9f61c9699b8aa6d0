#pragma once

#include <QString>
#include <cstdint>
#include <memory>

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
};

// "brain.nii.gz", "foam", or the name above.
[[nodiscard]] QString dataTitle(const OpenData& data);

}  // namespace sscope
