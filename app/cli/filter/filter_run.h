#pragma once
// A task of `sscope filter` once it is known what its file holds, and what came of it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/filter/filter_task.h"
#include "core/filter/job/filter_parts.h"
#include "core/job/output_files.h"
#include "core/volume/losses.h"
#include "core/volume/provenance.h"
#include "core/volume/volume_io.h"

namespace sscope::cli {

struct FilterRun {
  Program& program;
  Workshop& workshop;
  const FilterTask& task;
  ArrivingVolume& input;
  FilterJob job;
  OutputPlan plan;
  WriteOptions options;
  GrowingProvenance made;  // how the files are made

  // How one of the files is written.
  [[nodiscard]] WriteOptions optionsOf(std::size_t file, HeldNames& names) const;
  [[nodiscard]] const Volume& volume() const { return input.volume(); }
  [[nodiscard]] std::unique_ptr<Workload> workload() const;
  [[nodiscard]] std::vector<ArraySpec> outputs() const;
  [[nodiscard]] ElementType outputType() const { return job.bank.outputType(volume().type()); }
  // Of each of the files.
  [[nodiscard]] VolumeOutline outline() const;
};

struct FilterRan : FilterSums {
  std::optional<InputLosses> input;  // where it is not in memory any more
  std::optional<Streaming> streaming;
};

}  // namespace sscope::cli
