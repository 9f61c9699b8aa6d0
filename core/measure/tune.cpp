#include "core/measure/tune.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/base/words.h"
#include "core/engine/tuning_store.h"
#include "core/measure/buffer_ring.h"
#include "core/measure/machine.h"

namespace sscope {

namespace {

constexpr double kVerifySeconds = 0.05;  // if the whole output takes longer, samples are compared
constexpr double kPrepared = 0.5;        // of the progress

// Estimated seconds of one candidate, from those of the variant's own choice: a checked first and last run, and the
// timed runs.
double secondsOfOne(Plan& plan, const Workload& workload, std::span<const ConstArrayView> inputs,
                    const Control& control) {
  const BufferRing ring(inputs, workload.outputs(), 0, control);
  const BufferRing::Slot slot = ring.slot(0);
  static_cast<void>(plan.run({slot.inputs, 0}, slot.outputs, control));
  const Stopwatch watch;
  static_cast<void>(plan.run({slot.inputs, 0}, slot.outputs, control));
  return 2 * kVerifySeconds + (2 + kMinimumRepetitions) * watch.seconds();
}

// The rows of the search; every value is given, so that no stored values are used.
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

// The beginning of progress texts: "tuning tuned on opencl:0".
std::string stageOf(const TuneResult& result) { return "tuning " + result.variant + " on " + result.engine; }

}  // namespace

Tunable tunable(const EngineSet& engines, const VariantTable& variants, const Workload& workload, const BenchRow& row) {
  const EngineInfo* info = engines.find(row.engine);
  if (info == nullptr || !info->available()) return {};
  for (const Variant* variant : variants.rows(workload.name(), info->kind))
    if (row.variant.empty() || variant->name == row.variant)
      return variant->candidates ? Tunable{variant, info} : Tunable{};
  return {};
}

bool isUntuned(const EngineSet& engines, const VariantTable& variants, const Workload& workload, const BenchRow& row) {
  const auto [variant, engine] = tunable(engines, variants, workload, row);
  if (variant == nullptr || !row.values.empty()) return false;
  if (!engine->searchRefused.empty()) return false;
  if (variant->unsupported && !variant->unsupported(*engine, workload).empty()) return false;
  return variant->candidates(*engine, workload).size() > 1 && !rememberedTiles(*variant, *engine, workload);
}

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
    if (!info.searchRefused.empty()) return skip(info.searchRefused);
    std::vector<OptionValues> candidates = variant.candidates(info, workload);
    result.of = candidates.size();
    if (candidates.size() < 2) return skip("there is only one way to run this");
    const auto report = [&](double share, std::size_t candidate) {
      control.report(share,
                     stageOf(result) + ", candidate " + std::to_string(candidate) + " of " + std::to_string(result.of));
    };
    report(0, 1);
    // Compiles as many candidates as there is time for, so that the race finds them compiled.
    const Control quiet{control.stop, {}};
    const Stopwatch watch;
    const std::vector<BenchRow> rows = rowsOf(row, variant, candidates);
    const auto prepared = [&](const BenchRow& one) {
      return variants.prepare(engine, workload, one.variant, {options.threads, 0, one.values}, quiet);
    };
    const double one = secondsOfOne(*prepared(rows[0]), workload, inputs, quiet);
    if (2 * one > 3 * options.seconds)
      return skip("timing two of its candidates would take " + std::to_string(std::lround(2 * one)) + " s");
    for (result.tried = 1; result.tried < rows.size(); ++result.tried) {
      control.check();
      const double needed = watch.seconds() + static_cast<double>(result.tried + 1) * one;
      if (result.tried > 1 && needed > options.seconds) break;
      report(kPrepared * std::min(1.0, watch.seconds() / options.seconds), result.tried + 1);
      try {
        static_cast<void>(prepared(rows[result.tried]));
      } catch (const Canceled&) {
        throw;
      } catch (const Error&) {
        // The race reports the reason for this row alone.
      }
    }
    candidates.resize(result.tried);
    BenchOptions how;
    how.seconds = 0;
    how.threads = options.threads;
    how.measureCeilings = false;
    how.verify.fullBudgetSeconds = kVerifySeconds;
    const Control timing{control.stop, [&](double share, std::string_view) {
                           control.report(kPrepared + (1 - kPrepared) * share,
                                          stageOf(result) + ", timing " + std::to_string(result.tried) + " candidates");
                         }};
    const std::vector<Measurement> measurements =
        runBench(engines, variants, workload, inputs,
                 {rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(result.tried)}, how, timing);
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
    return skip(wordsOf(error));
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
           (result.tried < result.of ? " candidates tried (of " + std::to_string(result.of - 1) + ")" : " candidates") +
           " beats the model's choice by " + std::to_string(std::lround(kTuningMargin * 100)) + " %" + end;
  return "tuned " + where + ": " + toText(result.values) + ", " +
         std::to_string(std::lround((result.own / result.best - 1) * 100)) + " % faster than the model's choice" + end;
}

}  // namespace sscope
