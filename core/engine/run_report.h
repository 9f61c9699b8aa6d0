#pragma once
// The cost of one run with the engine and variant that computed it, and the trace of its steps.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/workload/workload.h"

namespace sscope {

// Seconds of each phase; for copies, the time in which at least one was pending. `total` is the wall time from call to
// result. It may exceed the sum of the phases, and is less than it if they overlap.
struct Phases {
  double compile = 0;  // in the first run of a plan; 0 in later ones
  double upload = 0;
  double kernel = 0;  // on devices by their own clock
  double download = 0;
  double overlap = 0;  // the time that uploads, kernels and downloads save by running at once
  double total = 0;

  // The wall time of uploads, kernels and downloads.
  [[nodiscard]] double together() const { return upload + kernel + download - overlap; }

  // Adds a run that follows this one.
  Phases& operator+=(const Phases& next) {
    compile += next.compile;
    upload += next.upload;
    kernel += next.kernel;
    download += next.download;
    overlap += next.overlap;
    total += next.total;
    return *this;
  }
};

struct RunReport {
  std::string engine;   // the one that ran: "cpu:avx512"
  std::string variant;  // "separable"; of a bank also "dense+separable"
  std::string why;      // how the variant was chosen, or why the requested one was not used; may be empty
  std::optional<Precision> precision;  // of the arithmetic, if it is not the workload's
  bool writtenOut = false;             // each filter was one sum over its whole box of taps (Workload::writtenOut)
  int threads = 1;
  Phases phases;
  double emptying = 0;    // seconds of the wall time that went into emptying caches (PrepareOptions::emptyCaches)
  double operations = 0;  // counted work (Workload::work or workAs)
  double executedOperations = 0;  // operations the variant really executes if that differs; else 0
  double bytes = 0;               // each input read once and each output written once
  double predictedSeconds = 0;    // of the work, without transfers; 0: no prediction
  // Details of the launch, by name: "registers", "occupancy", "tiling factor".
  std::map<std::string, double> launch;
  int tiles = 1;                        // pieces along z that the run was split into to fit the device's memory
  std::vector<std::int64_t> saturated;  // for each output: elements clamped to the range of its type
};

// Adds the run of another part of a result to those before it. `share`, 0..1: the part's own results among those that
// the run computed; the rest is the halo around them. `bytes`: the part's own, because the input and the taps are
// counted once.
void addPart(RunReport& sum, const RunReport& part, double bytes, double share = 1);

// The times of kernels, copies and steps in runs, for a timeline. Recording reads a clock and takes a lock for each
// span, which lasts at least tens of microseconds; reported times are measured without it.

struct RunSpan {
  std::string what;           // "upload", the name of a kernel
  double begin = 0, end = 0;  // seconds of the trace's clock
};

class RunTrace {
 public:
  static constexpr std::size_t kMostSpans = 512;

  RunTrace() = default;
  // The trace of one of several engines that run at once: it adds its spans to `whole`, as "part: upload", by the clock
  // of `whole`.
  RunTrace(std::shared_ptr<RunTrace> whole, std::string part);

  // Seconds since this trace, or the whole, was made.
  [[nodiscard]] double now() const { return whole_ ? whole_->now() : watch_.seconds(); }
  // Callable from any thread.
  void add(std::string what, double begin, double end);
  // Adds a span that ends now.
  void addLast(std::string what, double seconds);
  // The number of spans added here since the last take(), including those beyond kMostSpans.
  [[nodiscard]] std::size_t count() const;
  // Removes and returns the spans in the order in which they began; none if there were more than kMostSpans. Not for a
  // part.
  [[nodiscard]] std::vector<RunSpan> take();

 private:
  Stopwatch watch_;
  mutable std::mutex mutex_;
  std::vector<RunSpan> spans_;
  std::size_t count_ = 0;
  std::shared_ptr<RunTrace> whole_;
  std::string part_;
};

// Calls work(), and records it as a step if there is a trace.
template <class Work>
void recordStep(RunTrace* trace, std::string what, Work&& work) {
  if (trace == nullptr) return work();
  const double begin = trace->now();
  work();
  trace->add(std::move(what), begin, trace->now());
}

}  // namespace sscope
