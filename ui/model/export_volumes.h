#pragma once
// Writes the results of a bank.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/filter/job/filter_job.h"
#include "core/volume/provenance.h"
#include "core/volume/volume_io.h"

namespace sscope {

// The outputs of rows that the bank keeps; null if there is none. `result` is of this bank.
[[nodiscard]] std::shared_ptr<const ResidentFilterResult> keptOutputs(
    const std::shared_ptr<const ResidentFilterResult>& result, const FilterBank& bank);

// Writes the outputs to the files of `pattern` (core/job/output_files.h); several outputs in one file become its
// components. They come to the host for it, where they live on a device. Metadata of the input (`ofInput`) is written
// as by `sscope filter`, and how they were `made`. Throws Error(Usage, Unsupported, Io), if possible before anything is
// written, or Canceled. Returns the files written.
std::vector<std::filesystem::path> exportVolumes(VolumeIo& io, const ResidentFilterResult& result,
                                                 const Metadata& ofInput, const GrowingProvenance& made,
                                                 const std::string& pattern, const Control& control);

}  // namespace sscope
