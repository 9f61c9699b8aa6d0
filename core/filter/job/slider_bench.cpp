#include "core/filter/job/slider_bench.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/filter/families/family.h"
#include "core/filter/job/kept_filter.h"
#include "core/filter/job/live_runner.h"
#include "core/filter/program/program_workload.h"
#include "core/measure/judged_parts.h"
#include "core/volume/volume_brick.h"

namespace sscope {

namespace {

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

FilterJob jobOf(const SliderCase& what, const SliderContender& who, std::uint64_t identity, bool forward) {
  FilterJob job;
  job.bank = moved(what.bank, forward);
  job.engine = who.engine;
  job.variant = who.variant;
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
  Slider(const EngineSet& engines, const VariantTable& variants, const SliderCase& what, SliderContender who)
      : what_(what),
        who_(std::move(who)),
        device_(engines.at(who_.engine).info().isDevice()),
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
    request.engine = who_.engine;
    request.variant = who_.variant;
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
      const FilterJob job = jobOf(what_, who_, identity, forward);
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
      step_.slicesApart = !device_ || step_.previewed != who_.engine;
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
  SliderContender who_;
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

}  // namespace

std::string toString(SliderState state) {
  constexpr std::array<const char*, 5> kWords{"first", "new data", "same data", "resident", "slices"};
  return kWords.at(static_cast<std::size_t>(state));
}

std::vector<SliderRow> runSliderBench(const EngineSet& engines, const VariantTable& variants, const SliderCase& what,
                                      std::span<const SliderContender> contenders, const Control& control) {
  std::vector<SliderState> kinds{SliderState::First, SliderState::Slices};  // one step of the first, then in turns
  if (!what.slicesOnly)
    kinds = {SliderState::First, SliderState::NewData, SliderState::SameData, SliderState::Resident};
  std::vector<std::unique_ptr<Slider>> sliders;
  std::vector<SliderRow> rows;
  for (const SliderContender& who : contenders) {
    sliders.push_back(std::make_unique<Slider>(engines, variants, what, who));
    for (const SliderState state : kinds) {
      SliderRow row;
      row.engine = who.engine;
      row.variant = who.variant;
      row.state = state;
      rows.push_back(std::move(row));
    }
  }
  // Identities that nothing else of the process uses: an engine may still hold the data of another.
  std::uint64_t identity = std::uint64_t{1} << 48;
  const int others = static_cast<int>(kinds.size()) - 1, rounds = 1 + others * what.steps;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < sliders.size(); ++i) {
      control.report(static_cast<double>(round) / rounds, "stepping on " + contenders[i].engine);
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

}  // namespace sscope
