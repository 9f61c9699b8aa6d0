#include "core/lattice/job/flow_trail.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/memory.h"
#include "core/lattice/observables.h"

namespace sscope {

using lattice::GaugeField;

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
constexpr std::int64_t kUsualSteps = 1000;  // the flow time 10

std::int64_t budget(std::int64_t memory) {
  if (memory > 0) return memory;
  const std::int64_t available = availableMemory();
  return available > 0 ? std::min(kMostBytes, available / 4) : kMostBytes;
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

int FlowTrail::nearest(int steps) const {
  const int kept = std::prev(fields_.upper_bound(steps))->first;
  return flow_ && current_ <= steps ? std::max(kept, current_) : kept;
}

std::shared_ptr<const GaugeField> FlowTrail::at(int steps, const Control& control, const Watcher& watcher) {
  const auto known = fields_.find(steps);
  if (known != fields_.end()) return known->second;
  const int begin = nearest(steps);
  standAt(begin, control);
  while (current_ < steps) {
    const int finished = current_ - begin;
    Control step;
    step.stop = control.stop;
    step.progress = [&](double fraction, std::string_view stage) {
      control.report((finished + fraction) / (steps - begin), stage);
    };
    step.report(0, "flow");
    flow_->step(lattice::kFlowStep, step);
    ++current_;
    if (current_ == steps || current_ % spacing_ == 0) static_cast<void>(field(current_, control));
    if (watcher) watcher(current_);
  }
  return field(steps, control);
}

// The previous position of the flow is stored: the user may return to it.
void FlowTrail::standAt(int step, const Control& control) {
  if (flow_ && current_ == step) return;
  const std::shared_ptr<const GaugeField> from = fields_.at(step);
  if (flow_) {
    static_cast<void>(field(current_, control));
    flow_->restart(*from, control);
  } else {
    flow_.emplace(*from, control);
  }
  current_ = step;
}

std::shared_ptr<const GaugeField> FlowTrail::field(int step, const Control& control) {
  const auto known = fields_.find(step);
  if (known != fields_.end()) return known->second;
  auto here = std::make_shared<const GaugeField>(flow_->field(control));
  keep(step, here);
  return here;
}

// If there are too many, the field whose neighbors are closest to each other is dropped.
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

const FlowPoint& FlowTrail::point(int step, const Control& control) {
  const auto found = points_.find(step);
  if (found != points_.end()) return found->second;
  const lattice::CloverSums sums =
      flow_ && current_ == step ? flow_->sums(control) : lattice::cloverSums(*fields_.at(step), control);
  return points_[step] = {step, sums.meanEnergy, sums.charge, sums.plaquette};
}

}  // namespace sscope
