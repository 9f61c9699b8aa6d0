#pragma once
// A bank from file to file by slabs: `sscope filter` on large data, and what the window exports of them.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/filter/job/streamed_filter.h"
#include "core/job/output_files.h"
#include "core/volume/provenance.h"
#include "core/volume/volume_io.h"

namespace sscope {

// Of each of the files: of the results of a bank on such data, one in each file or all as the components of one.
[[nodiscard]] VolumeOutline resultOutline(const FilterBank& bank, const VolumeOutline& input, bool interleaved);

struct FilterFile {
  VolumeIo& io;
  StreamedFilter filter;    // its `memory` is what the process may have resident, with what the writers hold
  const OutputPlan& plan;   // of the files
  WriteOptions how;         // of all of them; the provenance is added
  GrowingProvenance& made;  // learns of the run
  // Are called before a file is opened, and before anything is computed. May be empty.
  std::function<void(const std::filesystem::path&)> opens{};
  std::function<void(const reach::SlabPlan&)> begins{};
};

// Computes and writes all of the files, which get their names together. Throws as planStream, runStreamed and
// VolumeIo::openSink; then no file is left.
[[nodiscard]] StreamedResult filterFile(FilterFile job, const Control& control);

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

// The results of a bank on data larger than memory, on the job's engine: the files of `sscope filter`, to the last byte.
// Throws Error(Usage, Unsupported, Memory, BadData, Io), if possible before anything is written, or Canceled; then no
// file is left. Returns the files.
std::vector<std::filesystem::path> exportLarge(const LargeExport& wish, const Control& control);

}  // namespace sscope
