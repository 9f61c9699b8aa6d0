#include "core/parts/slab_takers.h"

#include <exception>

namespace sscope::reach {

TakeVolume takerOf(VolumeSink& sink, std::int64_t planeBytes) {
  return [&sink, planeBytes](const VoxelPieces& pieces, const Control& control) {
    std::int64_t plane = 0;
    for (auto piece = pieces(); !piece.empty(); piece = pieces()) {
      sink.write(plane, piece, control);
      plane += static_cast<std::int64_t>(piece.size()) / planeBytes;
    }
  };
}

void startTakers(const std::vector<TakeVolume>& takers, SlabQueue& queue, std::vector<std::jthread>& threads) {
  for (std::size_t t = 0; t < takers.size(); ++t)
    threads.emplace_back([&queue, &take = takers[t], t] {
      try {
        take([&queue, t] { return queue.next(t); }, Control{queue.stop(), {}});
        queue.leave(t);
      } catch (...) {
        queue.fail(std::current_exception());
      }
    });
}

}  // namespace sscope::reach
