#pragma once
// The task of `sscope filter` once its file is known, and the run of a task whose data and results do not fit into the
// memory that it may use.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/filter/filter_task.h"
#include "core/filter/job/filter_parts.h"
#include "core/job/output_files.h"
#include "core/parts/sparse_volume.h"
#include "core/volume/losses.h"
#include "core/volume/provenance.h"
#include "core/volume/volume_io.h"
#include "core/volume/volume_stream.h"

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

  // The options for one of the files.
  [[nodiscard]] WriteOptions optionsOf(std::size_t file, HeldNames& names) const;
  [[nodiscard]] const Volume& volume() const { return input.volume(); }
  [[nodiscard]] std::unique_ptr<Workload> workload() const;
  [[nodiscard]] std::vector<ArraySpec> outputs() const;
  [[nodiscard]] ElementType outputType() const { return job.bank.outputType(volume().type()); }
  // The outline of each file.
  [[nodiscard]] VolumeOutline outline() const;
};

struct FilterRan : FilterSums {
  std::optional<InputLosses> input;  // if the input is no longer in memory
  std::optional<Streaming> streaming;
};

// A volume of which only the planes in use are in memory.
class StreamedInput final : public ArrivingVolume {
 public:
  // `memory`: bytes that the process may have resident. `fits`: there is no bound by the user, and the whole data would
  // fit into the free memory. `untilStored`: waits until the files are on the disk.
  StreamedInput(std::unique_ptr<VolumeSource> source, std::int64_t memory, bool fits, bool untilStored);

  [[nodiscard]] bool fits() const { return fits_; }
  // Whether slabs were computed: later errors cannot be avoided by reading the whole.
  [[nodiscard]] bool begun() const { return begun_; }

  [[nodiscard]] const VolumeInfo& info() const override { return info_; }
  [[nodiscard]] const Volume& volume() const override { return sparse_.volume(); }
  // Throws std::logic_error, because the whole is never in memory.
  void await(std::int64_t bytes, const Control& control) override;

  // The unit of values for this bank (core/filter/program/data_unit.h).
  [[nodiscard]] double unit(const FilterBank& bank, const Control& control);
  [[nodiscard]] FilterRan filter(FilterRun& run);

 private:
  std::unique_ptr<VolumeSource> source_;
  VolumeInfo info_;
  reach::SparseVolume sparse_;
  std::int64_t memory_;
  bool fits_, untilStored_, begun_ = false;
};

// The input of a task whose data and results need more than task.memory, by default two thirds of the free memory, or
// that is faster by slabs; else null. Also null if the data cannot be streamed and, without a bound by the user, fit
// into the free memory. Throws Error(Memory) with the reason if neither is possible, and what VolumeIo::probe throws.
[[nodiscard]] std::unique_ptr<StreamedInput> streamedInput(Program& program, Workshop& workshop,
                                                           const FilterTask& task);

}  // namespace sscope::cli
