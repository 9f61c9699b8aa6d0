#pragma once
// Running a bank on a volume: the one path that the window, `sscope filter` and `sscope run` share.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/base/memory.h"
#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/engine/run_report.h"
#include "core/engine/variant.h"
#include "core/filter/program/step_norms.h"
#include "core/filter/recipe.h"
#include "core/filter/workload/filter_workload.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"
#include "core/volume/volume_pool.h"

namespace sscope {

struct FilterJob {
  FilterBank bank;
  std::string engine;                // empty: the preferred one
  std::string variant;               // empty: the default
  int threads = 0;                   // CPU engines: 0 for all
  std::uint64_t inputIdentity = 0;   // see Inputs::identity
  std::optional<Box> region;         // only this part of the output
  bool asWhole = false;              // a region has the bits that the whole has there (Workload::cutTo)
  bool intermediates = false;        // rows that are only read by others have results, too
  std::vector<std::size_t> only;     // indices among the rows that have results; empty: all
  bool interleave = false;           // one output volume: component c of filter f is its f * components + c
  std::optional<Ceilings> ceilings;  // of the engine, measured, for predictions
  bool impatient = false;            // see PrepareOptions::impatient
  bool lastSteps = false;            // also on devices, where they are to be fetched (StepTeller)
};

struct FilterResult {
  std::vector<Volume> outputs;     // one per row with a result (of `only`), or one if interleaved; the input's geometry
  std::vector<std::string> names;  // the filters' names
  RunReport report;                // compile phase included
  std::vector<StepNorms> lastSteps;  // of each filter, or empty; sizes of 0 where there are no steps, or nobody asked
};

// The same, where it was computed (core/engine/resident_array.h).
struct ResidentFilterResult {
  std::vector<std::shared_ptr<ResidentArray>> outputs;
  std::vector<std::string> names;
  RunReport report;
  Geometry geometry;                 // of every output
  std::vector<StepNorms> lastSteps;  // as FilterResult's
};

// The same memory with another geometry; it stays alive behind the new volume, which must not be written to.
[[nodiscard]] Volume sharedVolume(const std::shared_ptr<const Volume>& volume, const Geometry& geometry);
// With every output in host memory, which stays alive as long as the result does; with progress. Throws as
// ResidentArray::host.
[[nodiscard]] FilterResult hostResult(const ResidentFilterResult& result, const Control& control);

// The geometry of a part of a volume.
[[nodiscard]] Geometry geometryOf(const Volume& input, const std::optional<Box>& region);

// A job made ready on its engine: the plan stays, so that runs can be repeated. `engines` outlives it, and `input` what
// is run on it.
class PreparedFilter {
 public:
  // Throws Error(Usage, NotFound, Unsupported, Memory, Device) or Canceled. Checks that the outputs and the plan's
  // scratch fit into the machine's free memory.
  PreparedFilter(const EngineSet& engines, const VariantTable& variants, FilterJob job, const Volume& input,
                 const Control& control);
  // Becomes ready for another job that differs in weights or in the values of the input only; false: it is not to be
  // used any more, and another one has to be made. Throws Error(Usage) or Canceled.
  [[nodiscard]] bool adopt(const FilterJob& job, const Volume& input, const Control& control);
  // Named outputs, not yet computed, for run(). Throws Error(Memory).
  [[nodiscard]] FilterResult makeRoom() const;
  [[nodiscard]] FilterResult makeRoom(VolumePool& pool) const;
  [[nodiscard]] std::int64_t outputBytes() const;
  [[nodiscard]] std::int64_t scratchBytes() const { return plan_->scratchBytes(); }
  [[nodiscard]] std::int64_t grain() const { return plan_->grain(); }  // see Plan::grain
  // Computes every output of `result` anew; phases.total of the report is the wall time of this run alone.
  void run(FilterResult& result, const Control& control) const;
  // The same into memory of the engine; `pool` for what lives in the host's. Throws Error(Usage) for a job that
  // interleaves.
  [[nodiscard]] ResidentFilterResult runResident(VolumePool& pool, const Control& control) const;

 private:
  // That of the job, and the names of its outputs.
  void takeWorkload();
  [[nodiscard]] std::vector<StepNorms> lastSteps() const;

  FilterJob job_;
  const Volume* input_;
  std::vector<std::string> names_;  // of the outputs
  std::unique_ptr<Workload> workload_;
  std::unique_ptr<Plan> plan_;
};

// Which planes of the input across `axis` a job reads for its region, `asWhole`: ascending ranges that do not touch.
[[nodiscard]] std::vector<Range> planesRead(const FilterJob& job, const Volume& input, std::size_t axis);

// Throws as PreparedFilter and its run do. phases.total of the report includes preparing the job.
[[nodiscard]] FilterResult runFilter(const EngineSet& engines, const VariantTable& variants, const FilterJob& job,
                                     const Volume& input, const Control& control);

// Compares a whole (not regional) result with the reference.
[[nodiscard]] Verification verifyFilter(const FilterJob& job, const Volume& input, const FilterResult& result,
                                        const VerifyOptions& options, const Control& control);

// The same of the result of a job with a region, `asWhole`. Of the input only what that part reads has to be there.
[[nodiscard]] Verification verifyPart(const FilterJob& job, const Volume& input, const FilterResult& result,
                                      const VerifyOptions& options, const Control& control);

// The same where the result lives; of outputs on devices, boxes are fetched (core/measure/verify.h).
[[nodiscard]] Verification verifyFilter(const FilterJob& job, const Volume& input, const ResidentFilterResult& result,
                                        const VerifyOptions& options, const Control& control);

// The same outputs under other names, one per output.
[[nodiscard]] std::shared_ptr<const ResidentFilterResult> renamed(
    const std::shared_ptr<const ResidentFilterResult>& result, std::vector<std::string> names);

}  // namespace sscope
