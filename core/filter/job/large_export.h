#pragma once
// The results of a bank on data larger than memory, computed while they are written.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/filter/job/filter_job.h"
#include "core/volume/volume_io.h"

namespace sscope {

struct LargeExport {
  const EngineSet& engines;
  const VariantTable& variants;
  VolumeIo& io;
  std::string path;         // of the data, as VolumeIo::read takes it
  VolumeInfo opened;        // what they were when they were opened
  FilterJob job;            // without a region; rows that do not fit the data are left out
  std::int64_t memory = 0;  // bytes that planes and results may take
  std::string pattern;      // of the files (core/job/output_files.h)
};

// Filters slab by slab from file to file (core/filter/job/streamed_filter.h), on the job's engine; tells the rate and
// the time left. The files are those of `sscope filter`, to the last byte. Throws Error(Usage, Unsupported, Memory,
// BadData, Io), if possible before anything is written, or Canceled; then no file is left. Returns the files.
std::vector<std::filesystem::path> exportLarge(const LargeExport& wish, const Control& control);

}  // namespace sscope
