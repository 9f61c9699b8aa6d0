#include "core/engine/run_report.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sscope {

void addPart(RunReport& sum, const RunReport& part, double bytes, double share) {
  if (sum.engine.empty()) {
    sum = part;
    sum.operations = sum.executedOperations = sum.bytes = 0;
  } else {
    sum.phases += part.phases;
    sum.predictedSeconds += part.predictedSeconds;
    sum.tiles += part.tiles;
    sum.writtenOut = sum.writtenOut || part.writtenOut;
    for (std::size_t f = 0; f < sum.saturated.size(); ++f) sum.saturated[f] += part.saturated[f];
  }
  sum.operations += share * part.operations;
  sum.executedOperations += share * part.executedOperations;
  sum.bytes += bytes;
}

RunTrace::RunTrace(std::shared_ptr<RunTrace> whole, std::string part)
    : whole_(std::move(whole)), part_(std::move(part)) {}

void RunTrace::add(std::string what, double begin, double end) {
  if (whole_) whole_->add(part_ + ": " + what, begin, end);
  const std::scoped_lock lock(mutex_);
  if (count_++ < kMostSpans && !whole_) spans_.push_back({std::move(what), begin, end});
}

void RunTrace::addLast(std::string what, double seconds) {
  const double end = now();
  add(std::move(what), end - seconds, end);
}

std::size_t RunTrace::count() const {
  const std::scoped_lock lock(mutex_);
  return count_;
}

std::vector<RunSpan> RunTrace::take() {
  const std::scoped_lock lock(mutex_);
  std::vector<RunSpan> spans = std::exchange(spans_, {});
  if (std::exchange(count_, 0) > kMostSpans) spans.clear();
  std::ranges::stable_sort(spans, {}, &RunSpan::begin);
  return spans;
}

}  // namespace sscope
