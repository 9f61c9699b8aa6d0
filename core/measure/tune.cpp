#include "core/measure/tune.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/engine/tuning_store.h"
#include "core/measure/buffer_ring.h"
#include "core/measure/machine.h"

namespace sscope {

namespace {

constexpr double kVerifySeconds = 0.05;  // where the whole output takes longer, parts of it are compared
constexpr double kProbed = 0.1;          // of the progress

// Seconds that one candidate will cost, from the own choice.
struct Cost {
  double prepare = 0;  // compilation, mostly
  double time = 0;     // a run to warm up, checked, then those that are timed
};

Cost costOfOne(Engine& engine, const VariantTable& variants, const Workload& workload,
               std::span<const ConstArrayView> inputs, const Variant& variant, const TuneOptions& options,
               const Control& control) {
  const Stopwatch preparing;
  const auto plan = variants.prepare(engine, workload, variant.name,
                                     {options.threads, 0, completeOptions(variant.options, {})}, control);
  Cost cost;
  cost.prepare = preparing.seconds();
  const BufferRing ring(inputs, workload.outputs(), 0, control);
  const BufferRing::Slot slot = ring.slot(0);
  static_cast<void>(plan->run({slot.inputs, 0}, slot.outputs, control));
  const Stopwatch running;
  static_cast<void>(plan->run({slot.inputs, 0}, slot.outputs, control));
  cost.time = kVerifySeconds + (1 + kMinimumRepetitions) * running.seconds();
  return cost;
}

// The rows of the search; every value is given, so that nothing remembered gets in.
std::vector<BenchRow> rowsOf(const BenchRow& row, const Variant& variant, const std::vector<OptionValues>& candidates) {
  std::vector<BenchRow> rows;
  for (const OptionValues& values : candidates)
    rows.push_back({row.engine, variant.name, completeOptions(variant.options, values)});
  return rows;
}

void settle(TuneResult& result, const std::vector<OptionValues>& candidates,
            const std::vector<Measurement>& measurements) {
  std::size_t best = 0;
  const auto median = [&](std::size_t i) { return measurements[i].spread().median; };
  for (std::size_t i = 1; i < measurements.size(); ++i)
    if (measurements[i].hasFigures() && median(i) < median(best)) best = i;
  result.own = median(0);
  if (median(best) * (1 + kTuningMargin) > result.own) best = 0;
  result.best = median(best);
  result.values = candidates[best];
}

}  // namespace

TuneResult tune(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                std::span<const ConstArrayView> inputs, const BenchRow& row, const TuneOptions& options,
                const Control& control) {
  TuneResult result;
  result.workload = workload.name();
  result.engine = row.engine;
  result.variant = row.variant;
  const auto skip = [&](std::string why) {
    result.skipped = std::move(why);
    return result;
  };
  try {
    Engine& engine = engines.at(row.engine);
    const EngineInfo& info = engine.info();
    const Variant& variant = variants.at(workload.name(), info.kind, row.variant);
    result.variant = variant.name;
    if (!row.values.empty()) return skip("its values are given");
    if (!variant.candidates) return skip("it has nothing to tune");
    std::vector<OptionValues> candidates = variant.candidates(info, workload);
    result.of = candidates.size();
    if (candidates.size() < 2) return skip("there is one way only to run this");
    control.report(0, "tuning");
    const Cost one = costOfOne(engine, variants, workload, inputs, variant, options, Control{control.stop, {}});
    if (2 * one.time > 3 * options.seconds)
      return skip("timing two of its candidates would take " + std::to_string(std::lround(2 * one.time)) + " s");
    const double fit = std::floor(options.seconds / (one.prepare + one.time));
    result.tried = static_cast<std::size_t>(std::clamp(fit, 2.0, static_cast<double>(candidates.size())));
    candidates.resize(result.tried);
    BenchOptions how;
    how.seconds = 0;
    how.threads = options.threads;
    how.measureCeilings = false;
    how.verify.fullBudgetSeconds = kVerifySeconds;
    const Control timing{control.stop, [&](double share, std::string_view) {
                           control.report(kProbed + (1 - kProbed) * share, "tuning");
                         }};
    const std::vector<Measurement> measurements =
        runBench(engines, variants, workload, inputs, rowsOf(row, variant, candidates), how, timing);
    if (!measurements[0].hasFigures()) return skip(measurements[0].failed + measurements[0].skipped);
    settle(result, candidates, measurements);
    control.check();
    try {
      rememberTiles(variant, info, workload, {result.values, isoTime()});
    } catch (const Error& error) {
      result.notRemembered = error.what();
    }
  } catch (const Canceled&) {
    throw;
  } catch (const std::exception& error) {
    return skip(error.what());
  }
  return result;
}

std::string toText(const OptionValues& values) {
  std::string text;
  for (const auto& [name, value] : values) text += (text.empty() ? "" : " ") + name + "=" + formatOption(value);
  return text;
}

std::string toText(const TuneResult& result) {
  const std::string where =
      result.workload + (result.variant.empty() ? "" : " " + result.variant) + " on " + result.engine;
  if (!result.skipped.empty()) return "not tuned: " + where + ": " + result.skipped;
  const std::string end = result.notRemembered.empty() ? "; remembered" : "; not remembered: " + result.notRemembered;
  if (result.values.empty())
    return "tuned " + where + ": none of " + std::to_string(result.tried - 1) +
           " candidates beats the model's choice by " + std::to_string(std::lround(kTuningMargin * 100)) + " %" + end;
  return "tuned " + where + ": " + toText(result.values) + ", " +
         std::to_string(std::lround((result.own / result.best - 1) * 100)) + " % faster than the model's choice" + end;
}

}  // namespace sscope
