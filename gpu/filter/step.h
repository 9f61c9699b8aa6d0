#pragma once
// One filter of a plan, or several that are computed together, made ready for its device.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/filter/context.h"
#include "gpu/filter/ended_bank.h"
#include "gpu/filter/methods.h"
#include "gpu/run/device_run.h"

namespace sscope {

class FilterStep {
 public:
  virtual ~FilterStep() = default;

  // Whether the kernels are ready, or nearly ready, as those on disk are; false: the compiler has to finish first.
  [[nodiscard]] virtual bool ready() const { return true; }
  // Which input slices the output slices need.
  virtual void needSlices(const Range& outputs, std::vector<bool>& needed) const = 0;
  // Raises `bytes` to the size of intermediate results for this many output slices (without kInput and kOutput).
  virtual void needBytes(std::int64_t slices, SlotBytes& bytes) const = 0;
  // Waits for the kernels and writes the tables.
  virtual void finish(const Control& control) = 0;
  // Takes the weights of the same method with terms and taps of the same sizes; false: this step cannot.
  [[nodiscard]] virtual bool takeWeights(const FilterMethod& method, const Control& control) = 0;
  // The same of all its filters.
  [[nodiscard]] virtual bool takeAllWeights(std::span<const FilterMethod> methods, const Control& control) {
    return takeWeights(methods.front(), control);
  }
  // Before the first tile of a run.
  virtual void begin() {}
  // Called after the last tile: adds the step's figures to the report.
  virtual void addTo(RunReport& /*report*/) const {}
  // Computes from kInput to the output slots; `finished` receives the finished share.
  virtual void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) = 0;
  [[nodiscard]] virtual double executedTaps() const = 0;
};

// All start building their kernels at once; finish() must follow.
[[nodiscard]] std::unique_ptr<FilterStep> makeDenseStep(const FilterContext& context, const FilterMethod& method);
[[nodiscard]] std::unique_ptr<FilterStep> makeSeparableStep(const FilterContext& context, const FilterMethod& method);
[[nodiscard]] std::unique_ptr<FilterStep> makeFusedStep(const FilterContext& context, const FilterMethod& method);
// Whether one kernel has room for all terms of such filters, and for formulas that end them.
[[nodiscard]] bool fusedTogether(const FilterContext& context, std::span<const std::vector<SeparableTerm>> filters,
                                 const FusedEnding* ending = nullptr);
// All terms of at most kMostTogether filters by one kernel; `saturated`: as the context's, of each output. `ending`, if
// not empty, gives the formulas that end them, which write what the kernel writes; asked again with other weights.
[[nodiscard]] std::unique_ptr<FilterStep> makeFusedBankStep(const FilterContext& context,
                                                            std::span<const FilterMethod> methods,
                                                            std::span<const OwnBuffer* const> saturated,
                                                            const std::function<FusedEnding()>& ending = {});
[[nodiscard]] std::unique_ptr<FilterStep> makeLowRankStep(const FilterContext& context, const FilterMethod& method);
[[nodiscard]] std::unique_ptr<FilterStep> makeFftStep(const FilterContext& context, const FilterMethod& method);
// Sums in single precision for integer results; requires roundsExactly().
[[nodiscard]] std::unique_ptr<FilterStep> makeExactStep(const FilterContext& context, const FilterMethod& method);
[[nodiscard]] std::unique_ptr<FilterStep> makeRankStep(const FilterContext& context, const FilterMethod& method);
[[nodiscard]] std::unique_ptr<FilterStep> makeLinesStep(const FilterContext& context, const FilterMethod& method);
[[nodiscard]] std::unique_ptr<FilterStep> makeRangeStep(const FilterContext& context, const FilterMethod& method);
[[nodiscard]] std::unique_ptr<FilterStep> makeEntropyStep(const FilterContext& context, const FilterMethod& method);
// Whether integer results may be rounded from sums in single precision and are faster that way
// (core/filter/workload/rounding_error.h).
[[nodiscard]] bool roundsExactly(const FilterContext& context, const FilterMethod& method);
// The step for the method's kind.
[[nodiscard]] std::unique_ptr<FilterStep> makeStep(const FilterContext& context, const FilterMethod& method);

}  // namespace sscope
