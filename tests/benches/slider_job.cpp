// What one step of a slider costs from end to end, without a window: the runner of the Filter room is given one setting
// after the other, as a hand would, and the clock runs until the data of its pictures are there. Engines take turns,
// and every step is compared with the reference.
//
//   slider_job [--edge N] [--engine ID] [--slices] [--json FILE] [SPEC]
//
// runs the filter on noise of N voxels along each edge. With --slices the three visible slices alone are computed, as
// while a slider is held on slow data. The columns:
//
//   slices    from the step until the three visible slices are there
//   whole     from the step until the last voxel of the last filter is computed on its engine
//   brick     from then on, until the result is reduced for the 3D view
//   rest      what is neither slices that were computed by themselves nor a phase: planning, memory, waiting
//   first     kernels are compiled or read from the cache, memory is new
//   new data  the data must reach the device
//   same data only the setting changes
//   resident  the same data, and the result stays where it is computed, without the runner and its thread: only three
//             slices come to the host, and the clock ends with them

#include <algorithm>
#include <array>
#include <cstring>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/statistics.h"
#include "core/base/stopwatch.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/kept_filter.h"
#include "core/filter/job/live_runner.h"
#include "core/filter/program/program_workload.h"
#include "core/measure/judged_parts.h"
#include "core/measure/measurement.h"
#include "core/measure/table.h"
#include "core/volume/volume_brick.h"
#include "core/workload/noise.h"
#include "gpu/gpu_engines.h"

using namespace sscope;
using nlohmann::json;

namespace {

struct SliderCase {
  std::shared_ptr<const Volume> input;
  FilterBank bank;          // of each filter the first parameter that is a real number moves back and forth by 1 %
  int threads = 0;          // CPU engines: 0 for all
  int steps = 7;            // of each kind but the first
  bool slicesOnly = false;  // as while a slider is held on slow data: rows are of First and Slices
};

// How a step finds the engine.
enum class SliderState : std::uint8_t {
  First,     // nothing computed yet: kernels are compiled or read from the cache, memory is new
  NewData,   // other data than in the step before, same setting
  SameData,  // the setting has moved on
  Resident,  // so it has, and the result stays where it is computed: only the slices come to the host
  Slices     // so it has, and nothing but the slices is computed
};

// Seconds, one sample a step.
struct SliderRow {
  std::string engine;
  SliderState state = SliderState::First;
  std::string ran;             // what computed the whole: "separable"
  std::string previewed;       // the engine that computed the slices
  std::vector<double> slices;  // from the step to the last of three visible slices of the shown filter
  std::vector<double> whole;   // from the step to the last voxel of the last filter, where it lives; Resident: empty
  std::vector<double> brick;   // of that, made small for the 3D view; begins after `whole`. Resident: empty
  std::vector<Phases> phases;  // of the whole
  // Of a step's time, what is neither a phase nor slices that were computed apart from the whole.
  std::vector<double> rest;
  std::int64_t deviceBytes = 0;  // Resident: of the device's memory that the results take
  Verification verification;     // of the worst of the row's first and last step
  std::string failed;            // not empty: there are no figures, and why
};

// SliderRow::rest of a step that took `all`, `apart` of it for slices by themselves; phases that overlap count once.
double restOfStep(double all, double apart, const Phases& phases) {
  return all - apart - phases.compile - phases.together();
}

// The bank with every filter's first real parameter or length moved by a step, within its range.
FilterBank moved(FilterBank bank, bool forward) {
  constexpr double kStep = 0.01;
  const double factor = forward ? 1 + kStep : 1;
  for (FilterRecipe& recipe : bank.filters) {
    const std::vector<Option>& options = filterFamily(recipe.family).options;
    const OptionValues values = completeOptions(options, recipe.parameters);
    for (const Option& option : options) {
      OptionValue value = values.at(option.name);
      if (auto* real = std::get_if<double>(&value)) {
        *real = std::clamp(*real * factor, option.minimum, option.maximum);
      } else if (auto* length = std::get_if<Length>(&value)) {
        length->value *= factor;
      } else {
        continue;
      }
      recipe.parameters[option.name] = std::move(value);
      break;
    }
  }
  return bank;
}

FilterJob jobOf(const SliderCase& what, const std::string& engine, std::uint64_t identity, bool forward) {
  FilterJob job;
  job.bank = moved(what.bank, forward);
  job.engine = engine;
  job.threads = what.threads;
  job.inputIdentity = identity;
  return job;
}

struct Step {
  std::optional<double> slices, whole, brick;
  bool slicesApart = true;  // computed by themselves, not read from the whole
  std::int64_t deviceBytes = 0;
  std::string previewed, failed;
  RunReport report;
  std::vector<std::pair<Box, std::shared_ptr<const Volume>>> shown;  // slices that were computed by themselves
  Verification verification;
};

// One engine with a runner of its own, as in the window.
class Slider {
 public:
  Slider(const EngineSet& engines, const VariantTable& variants, const SliderCase& what, std::string engine)
      : what_(what),
        engine_(std::move(engine)),
        device_(engines.at(engine_).info().isDevice()),
        resident_(engines, variants),
        runner_(engines, variants, [this](LiveNews news) { take(news); }) {}

  // Waits until the step is computed and checked. Throws Canceled.
  Step run(std::uint64_t identity, bool forward, const Control& control) {
    {
      const std::lock_guard lock(mutex_);
      step_ = {};
    }
    LiveRequest request;
    request.input = what_.input;
    request.inputIdentity = identity;
    request.bank = moved(what_.bank, forward);
    request.engine = engine_;
    request.threads = what_.threads;
    const VolumeShape& shape = what_.input->shape();
    request.crosshair = {shape.nx / 2, shape.ny / 2, shape.nz / 2};
    request.whole = !what_.slicesOnly;
    const std::stop_callback stop(control.stop, [this] { runner_.cancel(); });
    watch_ = Stopwatch();
    runner_.submit(std::move(request));
    runner_.waitIdle();
    control.check();
    const std::lock_guard lock(mutex_);
    if (step_.failed.empty() && (what_.slicesOnly ? !step_.slices : !step_.whole)) step_.failed = "no result came";
    if (what_.slicesOnly) check(step_, forward, control);
    return std::exchange(step_, {});
  }

  // The same without the runner: the slices are read from results that stay where they are computed.
  Step runResident(std::uint64_t identity, bool forward, const Control& control) {
    Step step;
    try {
      const FilterJob job = jobOf(what_, engine_, identity, forward);
      const Stopwatch watch;
      const ResidentFilterResult result = resident_.runResident(job, *what_.input, control);
      ResidentArray& shown = *result.outputs.front();
      std::vector<Volume> slices;
      const std::vector<BoxCopy> copies = sliceCopies(shown.spec(), slices);
      shown.read(copies, control);
      step.slices = watch.seconds();
      step.previewed = shown.engine();
      step.slicesApart = false;
      step.report = result.report;
      for (const auto& output : result.outputs) step.deviceBytes += output->deviceBytes();
      const FilterResult host = hostResult(result, control);
      step.verification = verifyFilter(job, *what_.input, host, {}, control);
      if (!sameParts(copies, shown.host(control))) step.failed = "a slice is not that of the result";
    } catch (const Canceled&) {
      throw;
    } catch (const Error& error) {
      step.failed = error.what();
    }
    return step;
  }

 private:
  // Compares slices that were computed by themselves with the reference.
  void check(Step& step, bool forward, const Control& control) const {
    const auto whole = bankWorkload(moved(what_.bank, forward), what_.input->spec(), what_.input->geometry(), true);
    for (const auto& [box, slice] : step.shown) {
      const ConstArrayView in = what_.input->view(), out = slice->view();
      const Verification found = verify(*whole->restrictedTo(box), {&in, 1}, {&out, 1}, {}, control);
      step.verification = joined(step.verification, found);
    }
  }

  // The three slices through the middle, into memory of `slices`.
  std::vector<BoxCopy> sliceCopies(const ArraySpec& spec, std::vector<Volume>& slices) {
    std::vector<BoxCopy> copies;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Box box = sliceBox(spec, axis, spec.extent[axis] / 2);
      slices.push_back(pools_[axis].make({box.size(0), box.size(1), box.size(2), static_cast<int>(spec.extent[3])},
                                         spec.type, {}, 1));
      copies.push_back({box, slices.back().view()});
    }
    return copies;
  }

  static bool sameParts(const std::vector<BoxCopy>& copies, const std::shared_ptr<const Volume>& whole) {
    return std::ranges::all_of(copies, [&](const BoxCopy& copy) {
      const ArraySpec spec{copy.to.type, copy.to.extent};
      std::vector<std::byte> expected(static_cast<std::size_t>(spec.bytes()));
      const BoxCopy part{copy.box, denseView(spec, expected.data())};
      hostArray({}, whole)->read({&part, 1}, {});
      return std::memcmp(expected.data(), copy.to.data, expected.size()) == 0;
    });
  }

  // On the runner's thread.
  void take(const LiveNews& news) {
    const double now = watch_.seconds();
    const std::lock_guard lock(mutex_);
    if (const auto* preview = news.as<LivePreview>()) {
      step_.slices = now;
      step_.previewed = preview->report.engine;
      step_.slicesApart = !device_ || step_.previewed != engine_;
      if (what_.slicesOnly) takeSlices(*preview), step_.slicesApart = false;
    } else if (const auto* whole = news.as<LiveWhole>()) {
      step_.whole = now;
      step_.report = whole->report;
      const Stopwatch watch;
      static_cast<void>(makeBrick(*whole->result->outputs.front(), whole->result->geometry, 0, kBrickEdge, {}));
      step_.brick = watch.seconds();
    } else if (const auto* checked = news.as<LiveVerified>()) {
      step_.verification = checked->verification;
    } else if (const auto* failure = news.as<FailedNews>()) {
      step_.failed = failure->message;
    }
  }

  void takeSlices(const LivePreview& preview) {
    step_.report = preview.report;
    const ArraySpec spec = what_.input->spec();
    for (std::size_t view = 0; view < preview.slices.size(); ++view)
      if (preview.slices[view])
        step_.shown.emplace_back(sliceBox(spec, 2 - view, preview.sliceAt[view]), preview.slices[view]);
  }

  const SliderCase& what_;
  std::string engine_;
  bool device_;
  std::mutex mutex_;
  Step step_;
  Stopwatch watch_;
  KeptFilter resident_;
  std::array<VolumePool, 3> pools_;  // of the slices
  LiveRunner runner_;                // last: its thread ends before what it tells
};

void append(SliderRow& row, const Step& step) {
  if (!row.failed.empty()) return;
  row.failed = step.failed;
  if (row.failed.empty() && !step.verification.verified)
    row.failed = step.verification.failure.empty() ? "the result was not compared" : step.verification.failure;
  if (!row.failed.empty()) return;
  row.ran = step.report.variant;
  row.previewed = step.previewed;
  if (step.slices) row.slices.push_back(*step.slices);
  if (step.whole) row.whole.push_back(*step.whole);
  if (step.brick) row.brick.push_back(*step.brick);
  const Phases& phases = step.report.phases;
  row.phases.push_back(phases);
  // Slices that were computed apart from the whole took their own time; others are a part of the whole.
  const double slices = step.slices.value_or(0), all = step.whole.value_or(slices);
  row.rest.push_back(restOfStep(all, step.slicesApart ? slices : 0, phases));
  row.deviceBytes = step.deviceBytes;
  if (row.phases.size() == 1 || step.verification.largestShare >= row.verification.largestShare)
    row.verification = step.verification;
}

std::string toString(SliderState state) {
  constexpr std::array<const char*, 5> kWords{"first", "new data", "same data", "resident", "slices"};
  return kWords.at(static_cast<std::size_t>(state));
}

std::vector<SliderRow> runSliderBench(const EngineSet& engines, const VariantTable& variants, const SliderCase& what,
                                      const std::vector<std::string>& contenders, const Control& control) {
  std::vector<SliderState> kinds{SliderState::First, SliderState::Slices};  // one step of the first, then in turns
  if (!what.slicesOnly)
    kinds = {SliderState::First, SliderState::NewData, SliderState::SameData, SliderState::Resident};
  std::vector<std::unique_ptr<Slider>> sliders;
  std::vector<SliderRow> rows;
  for (const std::string& engine : contenders) {
    sliders.push_back(std::make_unique<Slider>(engines, variants, what, engine));
    for (const SliderState state : kinds) {
      SliderRow row;
      row.engine = engine;
      row.state = state;
      rows.push_back(std::move(row));
    }
  }
  // Identities that nothing else of the process uses: an engine may still hold the data of another.
  std::uint64_t identity = std::uint64_t{1} << 48;
  const int others = static_cast<int>(kinds.size()) - 1, rounds = 1 + others * what.steps;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < sliders.size(); ++i) {
      control.report(static_cast<double>(round) / rounds, "stepping on " + contenders[i]);
      const std::size_t kind = round == 0 ? 0 : 1 + static_cast<std::size_t>((round - 1) % others);
      const SliderState state = kinds[kind];
      SliderRow& row = rows[i * kinds.size() + kind];
      if (!rows[i * kinds.size()].failed.empty()) {
        row.failed = rows[i * kinds.size()].failed;
        continue;
      }
      // Per engine: new data, then twice the same; slices alone are always of the same.
      const std::uint64_t data = identity + static_cast<std::uint64_t>(what.slicesOnly ? 0 : (round + 2) / 3);
      const bool forward = state == SliderState::SameData || (state == SliderState::Resident && round % 2 == 0) ||
                           (state == SliderState::Slices && round % 2 == 1);
      append(row, state == SliderState::Resident ? sliders[i]->runResident(data, forward, control)
                                                 : sliders[i]->run(data, forward, control));
      // Not timed, and after the first step, which nothing may prepare: kernels of resident steps and their memory.
      if (state == SliderState::First && !what.slicesOnly)
        static_cast<void>(sliders[i]->runResident(data, true, control));
    }
  return rows;
}

std::vector<double> phaseOf(const SliderRow& row, double Phases::*phase) {
  std::vector<double> samples;
  for (const Phases& phases : row.phases) samples.push_back(phases.*phase);
  return samples;
}

std::string milliseconds(const std::vector<double>& samples) {
  return samples.empty() ? "-" : inMilliseconds(medianOf(samples));
}

std::string quartiles(const std::vector<double>& samples) {
  return samples.empty() ? "-" : quartilesText(spreadOf(samples), "-");
}

std::string toTable(std::span<const SliderRow> rows) {
  TextRows cells{{"engine", "step", "n", "slices ms", "whole ms", "quartiles", "compile", "upload", "kernel",
                  "download", "rest", "brick ms", "slices on", "ran"}};
  for (const SliderRow& row : rows) {
    if (!row.failed.empty()) {
      cells.push_back({row.engine, toString(row.state), "failed: " + row.failed});
      continue;
    }
    cells.push_back({row.engine, toString(row.state), std::to_string(row.phases.size()), milliseconds(row.slices),
                     milliseconds(row.whole), quartiles(row.whole.empty() ? row.slices : row.whole),
                     milliseconds(phaseOf(row, &Phases::compile)), milliseconds(phaseOf(row, &Phases::upload)),
                     milliseconds(phaseOf(row, &Phases::kernel)), milliseconds(phaseOf(row, &Phases::download)),
                     milliseconds(row.rest), milliseconds(row.brick), row.previewed, row.ran});
  }
  return textTable(cells);
}

json toJson(const SliderRow& row) {
  json object{{"engine", row.engine}, {"step", toString(row.state)}};
  if (!row.failed.empty()) {
    object["failed"] = row.failed;
    return object;
  }
  object["ran"] = row.ran;
  object["previewed_on"] = row.previewed;
  object["slices_seconds"] = row.slices;
  object["whole_seconds"] = row.whole;
  object["brick_seconds"] = row.brick;
  if (row.state == SliderState::Resident) object["device_bytes"] = row.deviceBytes;
  object["phases"] = json::array();
  for (const Phases& phases : row.phases) object["phases"].push_back(sscope::toJson(phases));
  object["verified"] = row.verification.verified;
  object["rel_l2"] = row.verification.relativeL2;
  object["coverage"] = row.verification.coverage;
  return object;
}

struct Arguments {
  std::int64_t edge = 256;
  bool slicesOnly = false;
  std::string engine, json, filter = "gaussian:sigma=2";
};

Arguments argumentsOf(const std::vector<std::string>& words) {
  Arguments given;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto value = [&] {
      if (i + 1 == words.size()) throw Error(ErrorKind::Usage, words[i] + " needs a value");
      return words[++i];
    };
    if (words[i] == "--edge") {
      given.edge = std::stoll(value());
    } else if (words[i] == "--engine") {
      given.engine = value();
    } else if (words[i] == "--json") {
      given.json = value();
    } else if (words[i] == "--slices") {
      given.slicesOnly = true;
    } else {
      given.filter = words[i];
    }
  }
  return given;
}

int run(const Arguments& given) {
  EngineSet engines;
  VariantTable variants;
  addCpuEngines(engines);
  addCpuVariants(variants);
  addGpuEngines(engines);
  addGpuVariants(variants);
  SliderCase what;
  what.input =
      std::make_shared<const Volume>(noiseVolume({given.edge, given.edge, given.edge, 1}, ElementType::f32, 1, {}));
  what.bank.filters = {parseFilterSpec(given.filter)};
  what.slicesOnly = given.slicesOnly;
  std::vector<std::string> chosen;
  for (const Engine* engine : engines.available())
    if (given.engine.empty() || engine->info().id == given.engine) chosen.push_back(engine->info().id);
  const std::string title =
      "slider: " + given.filter + "; " + what.input->shape().text() + " f32 -> f32, boundary nearest";
  const std::vector<SliderRow> rows = runSliderBench(engines, variants, what, chosen, {});
  std::cout << title << "\n" << toTable(rows);
  if (!given.json.empty()) {
    json document{{"schema", "stencilscope.job/1"},
                  {"date", isoTime()},
                  {"machine", sscope::toJson(BenchReport{thisMachine(), engines.infos(), {}}).at("machine")},
                  {"title", title},
                  {"results", json::array()}};
    for (const SliderRow& row : rows) document["results"].push_back(toJson(row));
    writeTextFile(given.json, document.dump(1) + "\n");
  }
  return std::ranges::all_of(rows, [](const SliderRow& row) { return row.failed.empty(); }) ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(argumentsOf({words + 1, words + count}));
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}
