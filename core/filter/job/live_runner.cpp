#include "core/filter/job/live_runner.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/error.h"
#include "core/base/error_words.h"
#include "core/measure/ceiling_store.h"

namespace sscope {

namespace {

FilterJob jobOf(const LiveRequest& request, const FilterBank& bank) {
  FilterJob job;
  job.bank = bank;
  job.engine = request.engine;
  job.variant = request.variant;
  job.threads = request.threads;
  job.inputIdentity = request.inputIdentity;
  return job;
}

// The slice across `axis` at voxel `at`.
Box sliceBox(const VolumeShape& shape, std::size_t axis, std::int64_t at) {
  Box box{{0, 0, 0}, {shape.nx, shape.ny, shape.nz}};
  box.begin[axis] = at;
  box.end[axis] = at + 1;
  return box;
}

// Slices are computed where nothing has to be compiled or copied first: on the chosen engine when it is a CPU
// level, else on the preferred CPU level. The report of the update says which.
std::string previewEngine(const EngineSet& engines, const std::string& chosen) {
  const Engine& engine = chosen.empty() ? engines.preferred() : engines.at(chosen);
  return engine.info().hasThreads() ? engine.info().id : engines.preferred().info().id;
}

std::string nameOf(const EngineSet& engines, const std::string& chosen) {
  return chosen.empty() ? engines.preferred().info().id : chosen;
}

// Where the filter that is `shown` among the enabled ones stands among those that fit; none when it is left out.
std::optional<std::size_t> placeOf(std::size_t shown, const FilterBank& bank, const FittingBank& fitting) {
  const auto enabled = bank.enabled();
  if (shown >= enabled.size()) return 0;
  for (std::size_t i = 0; i < fitting.bank.filters.size(); ++i)
    if (fitting.bank.filters[i].name == enabled[shown]->name) return i;
  return std::nullopt;
}

}  // namespace

LiveRunner::LiveRunner(const EngineSet& engines, const VariantTable& variants, std::function<void(LiveNews)> deliver)
    : engines_(engines),
      variants_(variants),
      deliver_(std::move(deliver)),
      whole_(engines, variants),
      slices_{KeptFilter(engines, variants), KeptFilter(engines, variants), KeptFilter(engines, variants)},
      worker_([this](const Wish& wish, const Worker::Turn& turn) { execute(wish, turn); }) {}

void LiveRunner::releaseKept() {
  whole_.release();
  for (KeptFilter& slice : slices_) slice.release();
}

void LiveRunner::execute(const Wish& wish, const Worker::Turn& turn) {
  if (std::holds_alternative<Release>(wish)) return releaseKept();
  LiveNews news{turn.number, IdleNews{}};
  Control control;
  control.stop = turn.stop;
  control.progress = [&](double fraction, std::string_view stage) {
    std::string message(stage);
    // Turns name their engines themselves.
    if (const auto* request = std::get_if<LiveRequest>(&wish))
      message = nameOf(engines_, request->engine) + (stage.empty() ? "" : ", " + message);
    deliver_({turn.number, ProgressNews{fraction, std::move(message)}});
  };
  try {
    if (const auto* request = std::get_if<LiveRequest>(&wish)) {
      compute(*request, turn, control);
    } else {
      race(turn.number, std::get<FilterContest>(wish), control);
    }
  } catch (const Canceled&) {
    // Superseded work ends silently; work the user stopped says so.
    if (!worker_.canceled()) return;
    news.what = CanceledNews{};
  } catch (const std::exception& error) {
    news.what = FailedNews{wordsOf(error)};
  }
  deliver_(std::move(news));
}

void LiveRunner::compute(const LiveRequest& request, const Worker::Turn& turn, const Control& control) {
  if (!request.input) throw Error(ErrorKind::Usage, "there is no data to filter", "open a file or a sample");
  Work work{turn.number, request, fittingBank(request.bank, *request.input), {}};
  work.shown = placeOf(request.shownFilter, request.bank, work.fitting);
  // A preview is short: it is finished even when a newer setting is already waiting, so that a slider dragged
  // without a pause still shows pictures.
  if (work.shown) preview(work, Control{turn.canceled, {}});
  control.check();
  if (request.whole) whole(work, control);
}

void LiveRunner::preview(const Work& work, const Control& control) {
  const LiveRequest& request = work.request;
  const VolumeShape& shape = request.input->shape();
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  FilterJob part = jobOf(request, work.fitting.bank);
  part.engine = previewEngine(engines_, request.engine);
  if (part.engine != request.engine) part.variant.clear();
  part.only = {*work.shown};

  std::array<bool, 3> wanted = request.previewed;     // axial, coronal, sagittal
  if (extent[2] == 1) wanted[1] = wanted[2] = false;  // an image has one slice
  Phases sum;
  int count = 0;
  for (std::size_t view = 0; view < 3; ++view) {
    if (!std::exchange(wanted[view], false)) continue;
    const std::size_t axis = 2 - view;
    const std::int64_t at = std::clamp<std::int64_t>(request.crosshair[axis], 0, extent[axis] - 1);
    LivePreview preview;
    preview.leftOut = work.fitting.leftOut;
    preview.sliceAt[view] = at;
    part.region = sliceBox(shape, axis, at);
    FilterResult slice = slices_[view].run(part, *request.input, control);
    sum.kernel += slice.report.phases.kernel;
    sum.total += slice.report.phases.total;
    preview.report = slice.report;
    preview.report.phases = sum;
    preview.count = ++count;
    preview.last = std::ranges::none_of(wanted, std::identity());
    preview.slices[view] = std::make_shared<const Volume>(std::move(slice.outputs.front()));
    deliver_({work.number, std::move(preview)});
  }
}

void LiveRunner::whole(const Work& work, const Control& control) {
  const LiveRequest& request = work.request;
  FilterJob whole = jobOf(request, work.fitting.bank);
  const Engine& engine = request.engine.empty() ? engines_.preferred() : engines_.at(request.engine);
  whole.ceilings = storedCeilings(engine.info(), request.threads);
  auto result = std::make_shared<const FilterResult>(whole_.run(whole, *request.input, control));
  control.check();
  deliver_({work.number, LiveWhole{result, work.fitting.leftOut, result->report}});
  restGate_.waitOpen(control, rest_.load());
  LiveVerified verified{result->report, verifyFilter(whole, *request.input, *result, {}, control)};
  control.check();
  deliver_({work.number, std::move(verified)});
}

void LiveRunner::race(std::uint64_t number, const FilterContest& contest, const Control& control) {
  EngineTurns turns(contest.contest, preparing(engines_, variants_, contest), gate_, control, [&](TurnsUpdate turn) {
    deliver_({number, std::move(turn)});
  });
  turns.run();
}

}  // namespace sscope
