#include "core/compare/whole_result.h"

#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/measure/ceilings.h"
#include "core/measure/verify.h"

namespace sscope::compare {

namespace {

const Variant& variantOf(const RaceTrack& track, const Workload& workload, const BenchRow& contender) {
  return track.variants.at(workload.name(), track.engines.at(contender.engine).info().kind, contender.variant);
}

}  // namespace

std::vector<Volume> poisonedOutputs(const Workload& workload, std::int64_t others) {
  std::int64_t bytes = others;
  for (const ArraySpec& spec : workload.outputs()) bytes += spec.bytes();
  requireMemory(bytes);
  std::vector<Volume> outputs;
  for (const ArraySpec& spec : workload.outputs()) {
    outputs.emplace_back(VolumeShape{spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])},
                         spec.type);
    poison(outputs.back().view());
  }
  return outputs;
}

WholeResult wholeResult(const RaceTrack& track, const Workload& workload, const ConstArrayView& input,
                        const BenchRow& contender, int threads, const Control& control) {
  Engine& engine = track.engines.at(contender.engine);
  if (!variantOf(track, workload, contender).twinOf.empty())
    throw Error(ErrorKind::Unsupported, contender.variant + " only moves the data", "choose another variant");
  const PrepareOptions how{threads, 0, contender.values, storedCeilings(engine.info(), threads)};
  const std::unique_ptr<Plan> plan = track.variants.prepare(engine, workload, contender.variant, how, control);
  WholeResult result{poisonedOutputs(workload, plan->scratchBytes()), {}};
  std::vector<ArrayView> views;
  for (Volume& output : result.outputs) views.push_back(output.view());
  result.report = plan->run({{&input, 1}}, views, control);
  control.check();
  return result;
}

std::string laneName(const BenchRow& contender, const std::string& ran) {
  const std::string& variant = contender.variant.empty() ? ran : contender.variant;
  return variant.empty() ? contender.engine : contender.engine + " " + variant;
}

Verification fullVerification(const RaceTrack& track, const Workload& workload, const ConstArrayView& input,
                              const BenchRow& contender, const WholeResult& result, const Control& control) {
  std::vector<ConstArrayView> views;
  for (const Volume& output : result.outputs) views.push_back(output.view());
  VerifyOptions options;
  options.fullBudgetSeconds = std::numeric_limits<double>::infinity();
  options.writtenOut = result.report.writtenOut;
  return verify(variantOf(track, workload, contender), workload, {&input, 1}, views, options, control);
}

}  // namespace sscope::compare
