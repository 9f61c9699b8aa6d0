#pragma once
// Threads that take the slabs of results away while others are computed.

#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "core/base/control.h"
#include "core/parts/slab_queue.h"
#include "core/volume/volume_io.h"
#include "core/volume/volume_stream.h"

namespace sscope::reach {

// Takes one output volume: calls for its pieces until there are none, and leaves nothing behind when it throws. Runs on
// a thread of its own.
using TakeVolume = std::function<void(const VoxelPieces& pieces, const Control& control)>;

// Writes them to a sink, which outlives it; planes of `planeBytes` bytes.
[[nodiscard]] TakeVolume takerOf(VolumeSink& sink, std::int64_t planeBytes);

// One thread for each taker, which is given its pieces by the queue and reports to it what it throws.
void startTakers(const std::vector<TakeVolume>& takers, SlabQueue& queue, std::vector<std::jthread>& threads);

}  // namespace sscope::reach
