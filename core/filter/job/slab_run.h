#pragma once
// What jobs that run slab by slab share.

#include <thread>
#include <vector>

#include "core/engine/run_report.h"
#include "core/filter/job/slab_queue.h"
#include "core/filter/job/slabbed_filter.h"
#include "core/volume/volume.h"

namespace sscope {

// Adds the run of one more part. `outputBytes`: those of the part; the input and the taps are counted once.
void addPart(RunReport& sum, const RunReport& part, double outputBytes);

// One thread for each taker, which is given its pieces by the queue and reports to it what it throws.
void startTakers(const std::vector<TakeVolume>& takers, SlabQueue& queue, std::vector<std::jthread>& threads);

// Elements that are NaN or infinite.
[[nodiscard]] std::int64_t nonFiniteOf(const std::vector<Volume>& volumes, const Control& control);

}  // namespace sscope
