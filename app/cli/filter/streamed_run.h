#pragma once
// The task of `sscope filter` once its file is known, and the run of a task whose data and results do not fit into the
// memory that it may use.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/filter/filter_task.h"
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

  // How one of the files is written.
  [[nodiscard]] WriteOptions optionsOf(std::size_t file, HeldNames& names) const;
  [[nodiscard]] const Volume& volume() const { return input.volume(); }
  [[nodiscard]] std::unique_ptr<Workload> workload() const;
  [[nodiscard]] std::vector<ArraySpec> outputs() const;
  [[nodiscard]] ElementType outputType() const { return job.bank.outputType(volume().type()); }
  // Of each of the files.
  [[nodiscard]] VolumeOutline outline() const;
};

struct FilterRan {
  RunReport report;
  std::vector<std::string> names;
  std::int64_t nonFinite = 0;  // in the results
  std::vector<StepNorms> lastSteps;
  std::optional<Verification> verification;
  std::optional<InputLosses> input;  // where it is not in memory any more
  std::optional<Streaming> streaming;
};

// `sscope filter` on data that, with their results, do not fit into the memory that it may use.

// A volume of which only those planes are in memory that are worked on.
class StreamedInput final : public ArrivingVolume {
 public:
  // `memory`: bytes that the process may have resident. `fits`: nobody set a bound, and read as a whole the data would
  // fit into what is free, too.
  // `untilStored`: the files are waited for until they are on the disk.
  StreamedInput(std::unique_ptr<VolumeSource> source, std::int64_t memory, bool fits, bool untilStored);

  [[nodiscard]] bool fits() const { return fits_; }
  // Whether slabs were computed: what is wrong from then on does not go away with the whole in memory.
  [[nodiscard]] bool begun() const { return begun_; }

  [[nodiscard]] const VolumeInfo& info() const override { return info_; }
  [[nodiscard]] const Volume& volume() const override { return sparse_.volume(); }
  // It is never there as a whole: throws std::logic_error.
  void await(std::int64_t bytes, const Control& control) override;

  // Writes the files of the run. Throws as planStream, runStreamed and VolumeIo::openSink.
  // Of values, for such a bank (core/filter/program/data_unit.h).
  [[nodiscard]] double unit(const FilterBank& bank, const Control& control);
  [[nodiscard]] FilterRan filter(FilterRun& run);

 private:
  std::unique_ptr<VolumeSource> source_;
  VolumeInfo info_;
  reach::SparseVolume sparse_;
  std::int64_t memory_;
  bool fits_, untilStored_, begun_ = false;
};

// The input of a task whose data and results take more than task.memory, or by default than two thirds of what is
// free, or that are done sooner so; else null. Null also where they could only be streamed and still fit into what is
// free, by default. Throws Error(Memory), saying why nothing can be done about it; what VolumeIo::probe throws.
[[nodiscard]] std::unique_ptr<StreamedInput> streamedInput(Program& program, Workshop& workshop,
                                                           const FilterTask& task);

}  // namespace sscope::cli
