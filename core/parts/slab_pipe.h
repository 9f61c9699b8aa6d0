#pragma once
// Slabs of results: while one is computed, the slab before it is taken away and the input of the next one arrives, so that
// reading, computing and writing take the time of the longest of them and not of all together.

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/control.h"
#include "core/base/stopwatch.h"
#include "core/volume/volume.h"
#include "core/volume/volume_io.h"

namespace sscope::reach {

// Takes one output volume: calls for its pieces until there are none, and leaves nothing behind when it throws. Runs on
// a thread of its own.
using TakeVolume = std::function<void(const VoxelPieces& pieces, const Control& control)>;

struct SlabPipe {
  std::size_t slabs = 1;
  std::vector<TakeVolume> takers;  // one for each output volume
  // Waits for the input of a slab.
  std::function<void(std::size_t slab, const Control& control)> awaitInput;
  // Computes a slab: one volume for each taker.
  std::function<std::vector<Volume>(std::size_t slab, const Control& control)> compute;
  // Runs once all slabs are computed, before any taker sees the end of its pieces. May be empty.
  std::function<void()> computed{};
  // The control of a slab, of which the pipe replaces the token.
  std::function<Control(std::size_t slab)> controlOf;
};

// Computes the slabs in order on the calling thread; two of them are in memory at most. No taker sees the end of its
// pieces before all have taken all of them, so that files are completed together. Throws the first error of reading,
// computing and taking, and Canceled once the caller's token asks for it, after every thread has ended.
void runPipe(const SlabPipe& pipe, const Control& control);

// The progress of a job that runs slab by slab.
class Pace {
 public:
  // `bytes`: read and written in all.
  Pace(std::size_t parts, double bytes, std::string called = "slab")
      : parts_(parts), bytes_(bytes), called_(std::move(called)) {}

  // Reports that this fraction of part `part` is done: "slab 3 of 17, 412 MiB/s, 12 s left".
  void report(std::size_t part, double fraction, const Control& control) const;
  // Since it was made.
  [[nodiscard]] double seconds() const { return watch_.seconds(); }

 private:
  Stopwatch watch_;
  std::size_t parts_;
  double bytes_;
  std::string called_;  // a part
};

}  // namespace sscope::reach
