#pragma once
// One filter of a plan, made ready for its device.

#include <functional>
#include <memory>
#include <vector>

#include "gpu/filter/context.h"
#include "gpu/filter/method.h"

namespace sscope {

class FilterStep {
 public:
  virtual ~FilterStep() = default;

  // Which input slices the output slices need.
  virtual void needSlices(const Range& outputs, std::vector<bool>& needed) const = 0;
  // Raises `bytes` to what intermediate results for so many output slices take (Input and Output left out).
  virtual void needBytes(std::int64_t slices, SlotBytes& bytes) const = 0;
  // Waits for the kernels and makes the tables.
  virtual void finish(const Control& control) = 0;
  // From the slot Input to the slot Output; adds elements that left the output's range to `saturated`, a u64.
  // `finished` is told the share done. Returns the seconds of its kernels.
  virtual double run(const FilterTile& tile, const DeviceBuffer& saturated, const Control& control,
                     const std::function<void(double)>& finished) = 0;
  [[nodiscard]] virtual double executedTaps() const = 0;
};

// All start building their kernels at once; finish() must follow.
[[nodiscard]] std::unique_ptr<FilterStep> makeDenseStep(const FilterContext& context, const FilterMethod& method);
[[nodiscard]] std::unique_ptr<FilterStep> makeSeparableStep(const FilterContext& context, const FilterMethod& method);
[[nodiscard]] std::unique_ptr<FilterStep> makeRankStep(const FilterContext& context, const FilterMethod& method);
// The one for the method's kind.
[[nodiscard]] std::unique_ptr<FilterStep> makeStep(const FilterContext& context, const FilterMethod& method);

}  // namespace sscope
