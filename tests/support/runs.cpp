#include "tests/support/runs.h"

#include <cstring>

#include "core/volume/element_type.h"

namespace sscope::test {

std::vector<ConstArrayView> PlanRun::views() const {
  std::vector<ConstArrayView> views;
  for (const Volume& volume : outputs) views.push_back(volume.view());
  return views;
}

VolumeShape shapeOf(const ArraySpec& spec) {
  return {spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])};
}

std::vector<Volume> roomFor(const Workload& workload) {
  std::vector<Volume> room;
  for (const ArraySpec& spec : workload.outputs()) {
    room.emplace_back(shapeOf(spec), spec.type);
    poison(room.back().view());
  }
  return room;
}

std::vector<ArrayView> viewsOf(std::vector<Volume>& volumes) {
  std::vector<ArrayView> views;
  for (Volume& volume : volumes) views.push_back(volume.view());
  return views;
}

PlanRun runOnce(Plan& plan, const Workload& workload, const Inputs& inputs, const Control& control) {
  PlanRun run;
  run.outputs = roomFor(workload);
  run.report = plan.run(inputs, viewsOf(run.outputs), control);
  run.scratchBytes = plan.scratchBytes();
  return run;
}

PlanRun runOnce(Plan& plan, const Workload& workload, const Volume& input, std::uint64_t identity,
                const Control& control) {
  const ConstArrayView in = input.view();
  return runOnce(plan, workload, Inputs{{&in, 1}, identity}, control);
}

Verification compared(const Workload& workload, const Volume& input, const PlanRun& run, const VerifyOptions& options) {
  const ConstArrayView in = input.view();
  return verify(workload, {&in, 1}, run.views(), options, {});
}

std::string wrongIn(const Workload& workload, const Volume& input, const PlanRun& run) {
  return compared(workload, input, run, kEverywhere).failure;
}

std::string wrongIn(const EngineInfo& engine, const Variant& row, const Workload& workload, const Volume& input,
                    const PlanRun& run) {
  // What is chosen automatically keeps to the reference whatever the data are.
  const auto dense = run.report.writtenOut && row.name != "auto" ? workload.writtenOut() : nullptr;
  const Workload& truth = dense ? *dense : workload;
  const Verification verdict = compared(truth, input, run, kEverywhere);
  if (!verdict.verified) return verdict.failure + " (rel_l2 " + std::to_string(verdict.relativeL2) + ")";
  if (run.report.engine != engine.id) return "the report names the engine " + run.report.engine;
  if (run.report.phases.kernel <= 0) return "the report has no kernel time";
  const std::vector<std::int64_t> wanted = saturatedIn(truth, input);
  if (run.report.saturated.size() != wanted.size()) return "saturation is not reported for each output";
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (run.report.saturated[i] != wanted[i])
      return "counted " + std::to_string(run.report.saturated[i]) + " saturated elements of " +
             std::to_string(wanted[i]);
  return {};
}

std::vector<std::int64_t> saturatedIn(const Workload& workload, const Volume& input) {
  std::vector<std::int64_t> counts;
  const ConstArrayView in = input.view();
  const std::vector<ArraySpec> outputs = workload.outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& extent = outputs[i].extent;
    std::vector<double> reference(static_cast<std::size_t>(outputs[i].elements()));
    workload.reference({&in, 1}, i, {{0, 0, 0}, {extent[0], extent[1], extent[2]}}, reference, {});
    counts.push_back(0);
    dispatch(outputs[i].type, [&](auto tag) {
      for (const double value : reference) {
        bool saturated = false;
        static_cast<void>(roundSaturate<decltype(tag)>(value, saturated));
        counts.back() += saturated ? 1 : 0;
      }
    });
  }
  return counts;
}

bool sameBits(const Volume& a, const Volume& b) {
  return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

bool sameBits(const PlanRun& a, const PlanRun& b) {
  if (a.outputs.size() != b.outputs.size()) return false;
  for (std::size_t i = 0; i < a.outputs.size(); ++i)
    if (!sameBits(a.outputs[i], b.outputs[i])) return false;
  return true;
}

std::int64_t differentElements(const Volume& part, const Volume& whole, const Box& region) {
  std::int64_t different = 0;
  for (std::int64_t z = 0; z < region.size(2); ++z)
    for (std::int64_t y = 0; y < region.size(1); ++y)
      for (std::int64_t x = 0; x < region.size(0); ++x)
        for (int c = 0; c < part.shape().components; ++c)
          different +=
              part.value(x, y, z, c) != whole.value(x + region.begin[0], y + region.begin[1], z + region.begin[2], c)
                  ? 1
                  : 0;
  return different;
}

}  // namespace sscope::test
