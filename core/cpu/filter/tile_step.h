#pragma once
// A part of a run that is cut into tiles: one group of filters, one method.

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/cpu/run/kernel_table.h"
#include "core/cpu/run/scratch.h"
#include "core/engine/run_report.h"
#include "core/filter/workload/filter_workload.h"
#include "core/volume/array_view.h"

namespace sscope::cpu {

struct TileRun {
  ConstArrayView input;
  std::span<const ArrayView> outputs;
  const Control& control;
  std::span<std::atomic<std::int64_t>> saturated;  // per output
  bool streaming = false;                          // outputs exceed the caches: write past them
};

class TileStep {
 public:
  virtual ~TileStep() = default;
  [[nodiscard]] virtual std::int64_t tiles() const = 0;
  [[nodiscard]] virtual std::int64_t scratchBytes() const = 0;  // per thread
  // Multiply-adds of the whole step, to weigh its share of the progress.
  [[nodiscard]] virtual double work() const = 0;
  [[nodiscard]] virtual std::string description() const = 0;
  // As Plan::grain.
  [[nodiscard]] virtual std::int64_t grain() const { return 1; }
  // Takes the weights of a workload that differs from its own in nothing else (core/filter/workload/filter_workload.h);
  // false: this step cannot.
  [[nodiscard]] virtual bool takeWeights(const FilterWorkload& /*workload*/) { return false; }
  // Before anything of a run; the run before may have ended anywhere.
  virtual void begin() {}
  // Before tiles() are asked for, a run looks at so many places of its input, in any thread, and then decides by what
  // was found how the step goes about it.
  [[nodiscard]] virtual std::int64_t looks() const { return 0; }
  virtual void look(std::int64_t /*place*/, const Scratch& /*scratch*/, const TileRun& /*run*/) {}
  virtual void decide() {}
  // After a run: adds what people should know of it.
  virtual void tell(RunReport& /*report*/) const {}
  // Fills one tile of this step's outputs. Any thread. Looks at the control at least every 20 ms.
  virtual void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const = 0;
};

}  // namespace sscope::cpu
