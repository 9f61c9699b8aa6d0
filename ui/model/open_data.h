#pragma once

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
  std::uint64_t identity = 0;  // differs for every loading; engines keep device copies by it
};

}  // namespace sscope
