#include "core/parts/slab_stream.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/parts/slab_pipe.h"

namespace sscope::reach {

namespace {

bool contains(const std::vector<Range>& ranges, std::int64_t plane) {
  return std::ranges::any_of(ranges, [&](const Range& range) { return plane >= range.begin && plane < range.end; });
}

// Calls `use(begin, end)` for the longest runs of planes within `ranges` that fulfill a condition.
template <class Condition, class Use>
void forEachRun(const std::vector<Range>& ranges, Condition condition, Use use) {
  for (const Range& range : ranges) {
    std::int64_t begin = range.begin;
    while (begin < range.end) {
      while (begin < range.end && !condition(begin)) ++begin;
      std::int64_t end = begin;
      while (end < range.end && condition(end)) ++end;
      if (begin < end) use(begin, end);
      begin = end;
    }
  }
}

// Planes of a file on their way into memory while earlier ones are used.
class PlaneReader {
 public:
  // Reads for each of the slabs the planes that it needs, in the order of the slabs; those of the next slab while one is
  // used.
  explicit PlaneReader(const SlabStream& stream);
  ~PlaneReader() = default;  // stops reading
  PlaneReader(const PlaneReader&) = delete;
  PlaneReader& operator=(const PlaneReader&) = delete;

  // Waits until the planes of a slab are there. Throws what reading throws, or Canceled.
  void await(std::size_t slab, const Control& control);
  // The slabs up to this one are done: planes that the next one does not need lose their memory.
  void done(std::size_t slab);
  // Planes that have been read, some more than once.
  [[nodiscard]] std::int64_t planesRead() const;

 private:
  void readAll(const std::stop_token& stop);
  void readMissing(std::size_t slab, const std::stop_token& stop);

  const SlabStream& stream_;
  const std::vector<std::vector<Range>>& needed_;
  std::vector<bool> there_, seen_;  // by plane
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::size_t ready_ = 0, done_ = 0;  // slabs
  std::int64_t planesRead_ = 0;
  std::exception_ptr failure_;
  std::jthread reading_;  // last: it is the first to end
};

PlaneReader::PlaneReader(const SlabStream& stream)
    : stream_(stream),
      needed_(stream.plan.needed),
      there_(static_cast<std::size_t>(stream.input.planes())),
      seen_(static_cast<std::size_t>(stream.input.planes())),
      reading_([this](const std::stop_token& stop) { readAll(stop); }) {}

void PlaneReader::readMissing(std::size_t slab, const std::stop_token& stop) {
  // So that planes are seen while they are in the processor's cache, and a stop is noticed between two.
  constexpr std::int64_t kBytesAtOnce = std::int64_t{4} << 20;
  const std::int64_t most = std::max<std::int64_t>(1, kBytesAtOnce / stream_.input.planeBytes());
  const auto at = [](std::int64_t plane) { return static_cast<std::size_t>(plane); };
  const auto missing = [&](std::int64_t plane) {
    const std::lock_guard lock(mutex_);
    return !there_[at(plane)];
  };
  forEachRun(needed_[slab], missing, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end; first += most) {
      const std::int64_t last = std::min(end, first + most);
      stream_.source.read(first, last, stream_.input.planesFrom(first, last), {stop, {}});
      if (stream_.see)
        forEachRun(
            {{first, last}}, [&](std::int64_t plane) { return !seen_[at(plane)]; },
            [&](std::int64_t from, std::int64_t to) {
              stream_.see(from, stream_.input.planesFrom(from, to));
              std::fill(seen_.begin() + from, seen_.begin() + to, true);
            });
      const std::lock_guard lock(mutex_);
      std::fill(there_.begin() + first, there_.begin() + last, true);
      planesRead_ += last - first;
    }
  });
}

void PlaneReader::readAll(const std::stop_token& stop) {
  try {
    for (std::size_t slab = 0; slab < needed_.size(); ++slab) {
      {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [&] { return done_ + 1 >= slab; })) return;
      }
      readMissing(slab, stop);
      const std::lock_guard lock(mutex_);
      ready_ = slab + 1;
      changed_.notify_all();
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
  }
}

void PlaneReader::await(std::size_t slab, const Control& control) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, control.stop, [&] { return failure_ || ready_ > slab; });
  control.check();
  if (ready_ <= slab) std::rethrow_exception(failure_);
}

void PlaneReader::done(std::size_t slab) {
  const std::vector<Range> none;
  const std::vector<Range>& next = slab + 1 < needed_.size() ? needed_[slab + 1] : none;
  const std::lock_guard lock(mutex_);
  if (done_ > slab) return;  // its planes may have been read again, for a later slab
  forEachRun(
      needed_[slab],
      [&](std::int64_t plane) { return there_[static_cast<std::size_t>(plane)] && !contains(next, plane); },
      [&](std::int64_t begin, std::int64_t end) {
        stream_.input.drop(begin, end);
        std::fill(there_.begin() + begin, there_.begin() + end, false);
      });
  done_ = slab + 1;
  changed_.notify_all();
}

std::int64_t PlaneReader::planesRead() const {
  const std::lock_guard lock(mutex_);
  return planesRead_;
}

// Writes one output volume, of planes of `planeBytes` bytes.
TakeVolume takerOf(VolumeSink& sink, std::int64_t planeBytes) {
  return [&sink, planeBytes](const VoxelPieces& pieces, const Control& control) {
    std::int64_t plane = 0;
    for (auto piece = pieces(); !piece.empty(); piece = pieces()) {
      sink.write(plane, piece, control);
      plane += static_cast<std::int64_t>(piece.size()) / planeBytes;
    }
  };
}

}  // namespace

Streamed streamSlabs(const SlabStream& stream, const ComputeSlab& compute, const Control& control) {
  const std::size_t slabs = stream.plan.slabs.size();
  const std::int64_t planes = stream.plan.slabs.back().end;
  const Pace pace(slabs, static_cast<double>(stream.input.volume().bytes() + stream.outputBytes),
                  stream.called);
  PlaneReader reader(stream);
  SlabPipe pipe;
  pipe.slabs = slabs;
  for (const auto& sink : stream.sinks)
    pipe.takers.push_back(takerOf(*sink, stream.outputBytes / planes / std::ssize(stream.sinks)));
  pipe.controlOf = [&](std::size_t slab) {
    pace.report(slab, 0, control);
    return Control{{}, [&, slab](double fraction, std::string_view) { pace.report(slab, fraction, control); }};
  };
  pipe.awaitInput = [&](std::size_t slab, const Control& one) { reader.await(slab, one); };
  pipe.compute = [&](std::size_t slab, const Control& one) {
    const auto inputDone = [&] { reader.done(slab); };
    std::vector<Volume> results = compute(slab, inputDone, one);
    inputDone();
    return results;
  };
  runPipe(pipe, control);
  control.check();
  return {pace.seconds(), reader.planesRead() * stream.input.planeBytes(), stream.outputBytes};
}

}  // namespace sscope::reach
