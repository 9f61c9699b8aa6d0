#include "core/job/flow_trail.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/memory.h"
#include "core/lattice/observables.h"
#include "core/lattice/wilson_flow.h"

namespace sscope {

using lattice::GaugeField;

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
constexpr std::int64_t kUsualSteps = 1000;  // the flow time 10

std::int64_t budget(std::int64_t memory) {
  if (memory > 0) return memory;
  const std::int64_t there = availableMemory();
  return there > 0 ? std::min(kMostBytes, there / 4) : kMostBytes;
}

}  // namespace

double FlowPoint::time() const { return step * lattice::kFlowStep; }
double FlowPoint::scaled() const { return time() * time() * energy; }

FlowTrail::FlowTrail(std::shared_ptr<const GaugeField> start, std::int64_t memory) {
  const auto bytes = static_cast<std::int64_t>(start->links().size() * sizeof(lattice::Matrix3));
  const std::int64_t fit = std::clamp<std::int64_t>(budget(memory) / std::max<std::int64_t>(bytes, 1), 2, kUsualSteps);
  most_ = static_cast<std::size_t>(fit);
  spacing_ = static_cast<int>((kUsualSteps + fit - 1) / fit);
  fields_.emplace(0, std::move(start));
}

int FlowTrail::nearest(int steps) const { return std::prev(fields_.upper_bound(steps))->first; }

std::shared_ptr<const GaugeField> FlowTrail::at(int steps, const Control& control, const Watcher& watcher) {
  const int begin = nearest(steps);
  const std::shared_ptr<const GaugeField> from = fields_.at(begin);
  if (begin == steps) return from;
  const auto afterStep = [&](std::int64_t k, const GaugeField& field) {
    const int step = begin + static_cast<int>(k);
    if (step == steps) return;
    const auto keepIt = [&] { keep(step, std::make_shared<const GaugeField>(field)); };
    try {
      if ((watcher && watcher(step, field)) || step % spacing_ == 0) keepIt();
    } catch (...) {
      keepIt();
      throw;
    }
  };
  const double time = (steps - begin) * lattice::kFlowStep;
  auto reached = std::make_shared<const GaugeField>(flowed(*from, time, lattice::kFlowStep, control, afterStep));
  keep(steps, reached);
  if (watcher) static_cast<void>(watcher(steps, *reached));
  return reached;
}

// Where there are too many, the one goes whose neighbors are closest to each other.
void FlowTrail::keep(int step, std::shared_ptr<const GaugeField> field) {
  fields_[step] = std::move(field);
  while (fields_.size() > most_) {
    auto victim = fields_.end();
    int smallest = 0;
    for (auto each = std::next(fields_.begin()); each != fields_.end(); ++each) {
      if (each->first == step) continue;
      const auto after = std::next(each);
      const int gap = (after == fields_.end() ? each->first + spacing_ : after->first) - std::prev(each)->first;
      if (victim != fields_.end() && gap >= smallest) continue;
      victim = each;
      smallest = gap;
    }
    if (victim == fields_.end()) return;
    fields_.erase(victim);
  }
}

const FlowPoint& FlowTrail::point(int step, const GaugeField& field, const Control& control) {
  const auto found = points_.find(step);
  if (found != points_.end()) return found->second;
  const lattice::CloverSums sums = lattice::cloverSums(field, control);
  return points_[step] = {step, sums.meanEnergy, sums.charge, lattice::meanPlaquette(field, control)};
}

}  // namespace sscope
