#pragma once
// A contender's first result, slab by slab (race.h).

#include <functional>
#include <memory>
#include <vector>

#include "core/base/control.h"
#include "core/compare/lane.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/measure/bench.h"
#include "core/volume/array_view.h"
#include "core/volume/volume.h"
#include "core/workload/workload.h"

namespace sscope::compare {

// The parts in which a workload is computed for its first result, along the slowest axis: at most `most`, and fewer
// where so thin ones would mostly read what belongs to their neighbors. One, the whole, where it cannot be cut or its
// outputs have different extents.
[[nodiscard]] std::vector<Box> slabsOf(const Workload& workload, int most);

struct FirstRun {
  const EngineSet& engines;
  const VariantTable& variants;
  const Workload& workload;
  ConstArrayView input;
  std::uint64_t identity = 0;  // of the input (Inputs::identity)
  int threads = 0;
};

// Computes the slabs in order into `outputs`, which are poisoned first, and verifies the whole. `finished` is called
// after each. Throws what engines throw, and Canceled.
[[nodiscard]] FirstResult firstResult(const FirstRun& run, const BenchRow& contender, const std::vector<Box>& slabs,
                                      std::vector<Volume>& outputs,
                                      const std::function<void(const SlabTime&)>& finished,
                                      const std::function<void(const FirstResult&)>& computed, const Control& control);

}  // namespace sscope::compare
