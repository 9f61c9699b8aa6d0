#pragma once
// A step of a plan, in tiles, and where its results go.

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/run/kernel_table.h"
#include "core/cpu/run/scratch.h"
#include "core/engine/run_report.h"
#include "core/filter/workload/filter_workload.h"
#include "core/volume/array_view.h"

namespace sscope::cpu {

// A part of a run that is cut into tiles: one group of filters, one method.

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
  // Takes the weights of a workload that differs from its own in nothing else (core/filter/workload/filter_shape.h);
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

// How a step's sums become elements of its output, where converting each of them is not all there is to do.

// The sums along tile axis 1 that a plane of sums was made from by further passes, where they are still there.
struct KeptSums {
  const void* sums = nullptr;       // for the plane's first output, of the first tap along axis 0 and 2; null for none
  std::int64_t row = 0, plane = 0;  // strides in elements
};

class PlaneStore {
 public:
  virtual ~PlaneStore() = default;
  // Those of a workload that differs in its weights alone.
  virtual void takeWeights(const FilterWorkload& workload) = 0;
  // Rows of one plane of sums, as PrecisionKernels<T>::store takes them, for outputs from `begin` on; `space` is the
  // step's, and `begin` counts in it. Returns the number of saturated elements.
  [[nodiscard]] virtual std::int64_t store(const StoreJob& job, const TileSpace& space, std::int64_t component,
                                           const std::array<std::int64_t, 3>& begin, const KeptSums& kept,
                                           const TileRun& run) const = 0;
  // For descriptions of steps, after a comma.
  [[nodiscard]] virtual const char* words() const = 0;
};

}  // namespace sscope::cpu
