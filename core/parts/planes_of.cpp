#include "core/parts/planes_of.h"

#include <stdexcept>

namespace sscope::reach {

PlanesOf::PlanesOf(const Workload& workload, std::vector<std::int64_t> planes)
    : workload_(workload), planes_(std::move(planes)) {
  if (planes_.empty()) throw std::logic_error("there are no planes to compare");
}

std::vector<ArraySpec> PlanesOf::outputs() const {
  std::vector<ArraySpec> specs = workload_.outputs();
  for (ArraySpec& spec : specs) spec.extent[2] = std::ssize(planes_);
  return specs;
}

Work PlanesOf::work() const {
  Work work = workload_.work();
  const double share = static_cast<double>(planes_.size()) / static_cast<double>(workload_.outputs().front().extent[2]);
  work.operations *= share;
  work.bytes *= share;
  return work;
}

void PlanesOf::fill(Fill what, std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                    std::span<double> values, const Control& control) const {
  const std::size_t plane = values.size() / static_cast<std::size_t>(box.size(2));
  for (std::int64_t k = box.begin[2], end = k; k < box.end[2]; k = end) {
    const auto at = [&](std::int64_t index) { return planes_[static_cast<std::size_t>(index)]; };
    for (end = k + 1; end < box.end[2] && at(end) == at(k) + end - k;) ++end;
    Box run = box;
    run.begin[2] = at(k);
    run.end[2] = at(k) + end - k;
    (workload_.*what)(
        inputs, output, run,
        values.subspan(plane * static_cast<std::size_t>(k - box.begin[2]), plane * static_cast<std::size_t>(end - k)),
        control);
  }
}

void PlanesOf::reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                         std::span<double> values, const Control& control) const {
  fill(&Workload::reference, inputs, output, box, values, control);
}

void PlanesOf::referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                                  std::span<double> values, const Control& control) const {
  fill(&Workload::referenceMagnitude, inputs, output, box, values, control);
}

}  // namespace sscope::reach
