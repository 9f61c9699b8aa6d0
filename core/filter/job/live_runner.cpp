#include "core/filter/job/live_runner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/error_words.h"
#include "core/base/stopwatch.h"
#include "core/filter/families/family.h"
#include "core/filter/job/swept_slice.h"
#include "core/filter/program/data_unit.h"
#include "core/measure/ceiling_store.h"
#include "core/measure/judged_parts.h"
#include "core/volume/not_finite.h"

namespace sscope {

namespace {

FilterJob jobOf(const LiveRequest& request, const FilterBank& bank) {
  FilterJob job;
  job.bank = bank;
  job.engine = request.engine;
  job.variant = request.variant;
  job.threads = request.threads;
  job.inputIdentity = request.inputIdentity;
  job.impatient = true;
  job.intermediates = true;
  return job;
}

// Of data larger than memory planes of the file; where these have to be unpacked, only when that was asked for.
bool comesFirst(const LiveRequest& request, std::size_t view) {
  if (!request.large) return request.previewed[view];
  if (request.large->axis() != 2 - view) return false;
  return request.large->readsPlanes() ? request.previewed[view] : request.swept[view];
}

// The views whose slices come first, in the order of LiveRequest::previewed; an image has one slice.
std::vector<std::size_t> viewsOf(const LiveRequest& request) {
  std::vector<std::size_t> views;
  for (std::size_t view = 0; view < 3; ++view)
    if (comesFirst(request, view) && (view == 0 || request.input->shape().nz > 1)) views.push_back(view);
  return views;
}

// The slice that such a view shows.
Box sliceOf(const LiveRequest& request, std::size_t view) {
  const std::size_t axis = 2 - view;
  const ArraySpec spec = request.input->spec();
  return sliceBox(spec, axis, std::clamp<std::int64_t>(request.crosshair[axis], 0, spec.extent[axis] - 1));
}

// Without ceilings, which only a plan that is made anew asks for.
FilterJob wholeJob(const Engine& engine, const LiveRequest& request, const FilterBank& bank) {
  FilterJob job = jobOf(request, bank);
  job.engine = engine.info().id;
  return job;
}

// Slices are computed where nothing has to be compiled or copied first: on the chosen engine when it is a CPU
// level, else on the preferred CPU level. The report of the update says which.
std::string previewEngine(const EngineSet& engines, const std::string& chosen) {
  const Engine& engine = chosen.empty() ? engines.preferred() : engines.at(chosen);
  return engine.info().hasThreads() ? engine.info().id : engines.preferred().info().id;
}

// Of one filter of `bank`, without its region.
FilterJob sliceJob(const EngineSet& engines, const LiveRequest& request, const FilterBank& bank, std::size_t shown) {
  FilterJob job = jobOf(request, bank);
  job.engine = previewEngine(engines, request.engine);
  if (job.engine != request.engine) job.variant.clear();
  job.only = {shown};
  return job;
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

// What a run itself counts.
ResultLosses reportedLosses(const Volume& input, const FilterBank& bank, const RunReport& report) {
  ResultLosses losses{.from = input.type(), .formulas = hasFormulas(bank), .input = {}};
  losses.to = bank.outputType(losses.from);
  for (const std::int64_t each : report.saturated) losses.saturated += each;
  return losses;
}

}  // namespace

LiveRunner::LiveRunner(const EngineSet& engines, const VariantTable& variants, std::function<void(LiveNews)> deliver)
    : engines_(engines),
      variants_(variants),
      deliver_(std::move(deliver)),
      whole_(engines, variants),
      slices_{KeptFilter(engines, variants), KeptFilter(engines, variants), KeptFilter(engines, variants)},
      worker_([this](const Wish& wish, const Worker::Turn& turn) { execute(wish, turn); }) {}

void LiveRunner::releaseKept(const Control& control) {
  whole_.release();
  onDevice_.reset();
  pace_.reset();
  for (VolumePool& pool : slicePools_) pool.release();
  for (KeptFilter& slice : slices_) slice.release();
  try {
    while (!devices_.empty()) {
      engines_.at(*devices_.begin()).giveBack(control);
      devices_.erase(devices_.begin());
    }
  } catch (const Canceled&) {
    // The next release reaches the others.
  }
}

void LiveRunner::noteDevice(const std::string& engine) {
  if (const EngineInfo* info = engines_.find(engine); info != nullptr && info->available() && info->isDevice())
    devices_.insert(engine);
}

void LiveRunner::execute(const Wish& wish, const Worker::Turn& turn) {
  // Another computation may have an engine for long: a newer wish does not wait for that.
  if (std::holds_alternative<Release>(wish)) return releaseKept({turn.stop, {}});
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

double LiveRunner::unitOf(const LiveRequest& request, const FilterBank& bank, const Control& control) {
  if (!usesDataUnit(bank, outlineOf(*request.input))) return 1;
  if (!magnitude_ || request.inputIdentity == 0 || magnitude_->first != request.inputIdentity) {
    const auto ofAll = [](const VolumeStatistics& all) {
      return std::max(std::abs(all.minimum), std::abs(all.maximum));
    };
    const reach::Overview* const overview = request.large ? &request.large->overview() : nullptr;
    // Of a pyramid's level, which is a sample of the voxels.
    magnitude_ = {request.inputIdentity, overview != nullptr && overview->level == 0
                                             ? ofAll(overview->statistics)
                                             : sampledMagnitude(overview ? *overview->means : *request.input, control)};
  }
  return dataUnit(request.input->type(), magnitude_->second);
}

void LiveRunner::compute(const LiveRequest& request, const Worker::Turn& turn, const Control& control) {
  if (!request.input) throw Error(ErrorKind::Usage, "there is no data to filter", "open a file or a sample");
  Work work{turn.number, request, {}, {}};
  largeSlice_.reset();
  if (!request.large || !request.bank.enabled().empty()) {
    work.fitting = fittingBank(request.bank, *request.input);
    work.fitting.bank.unit = unitOf(request, work.fitting.bank, control);
    work.shown = placeOf(request.shownFilter, request.bank, work.fitting);
  }
  // A preview is short: it is finished even when a newer setting is already waiting, so that a slider dragged
  // without a pause still shows pictures.
  const Control finishing{turn.canceled, {}};
  std::optional<ResidentFilterResult> there;
  if (work.shown) {
    try {
      there = previewOnDevice(work, finishing);
    } catch (const Canceled&) {
      throw;
    } catch (const Error&) {
      // The processor makes the slices, and the whole tells what is wrong, if it still is.
      pace_.reset();
      onDevice_.reset();
    }
  }
  if (work.shown && !there) preview(work, request.large && !request.large->readsPlanes() ? control : finishing);
  control.check();
  if (request.large) {
    if (largeSlice_) verifySlice(work, control);
    sweep(work, control);
  } else if (request.whole) {
    whole(work, std::move(there), control);
  }
}

bool LiveRunner::deviceHasData(const LiveRequest& request) const {
  return onDevice_ && onDevice_->engine == request.engine && onDevice_->identity == request.inputIdentity &&
         request.inputIdentity != 0;
}

bool LiveRunner::paceIsKnown(const LiveRequest& request) const {
  return pace_ && pace_->engine == request.engine && pace_->variant == request.variant &&
         pace_->input == request.input->spec();
}

bool LiveRunner::deviceIsQuick(const LiveRequest& request) const {
  return deviceHasData(request) && paceIsKnown(request) && pace_->seconds <= devicePatience_ * previewSeconds_;
}

std::optional<ResidentFilterResult> LiveRunner::previewOnDevice(const Work& work, const Control& control) {
  const LiveRequest& request = work.request;
  const std::vector<std::size_t> views = viewsOf(request);
  if (views.empty() || !deviceIsQuick(request)) return std::nullopt;
  const Stopwatch watch;
  auto result =
      whole_.runIfReady(wholeJob(engines_.at(request.engine), request, work.fitting.bank), *request.input, control);
  if (!result) return std::nullopt;
  ResidentArray& shown = *result->outputs.at(*work.shown);
  std::vector<BoxCopy> copies;
  std::array<std::shared_ptr<Volume>, 3> slices;
  for (const std::size_t view : views) {
    const Box box = sliceOf(request, view);
    slices[view] = std::make_shared<Volume>(
        slicePools_[view].make({box.size(0), box.size(1), box.size(2), static_cast<int>(shown.spec().extent[3])},
                               shown.spec().type, geometryOf(*request.input, box), 1));
    copies.push_back({box, slices[view]->view()});
  }
  const Stopwatch reading;
  shown.read(copies, control);
  result->report.phases.download += reading.seconds();
  // A slow moment of the machine must not end it.
  pace_->seconds = 0.5 * (pace_->seconds + watch.seconds() - result->report.phases.upload);
  LivePreview preview;
  preview.leftOut = work.fitting.leftOut;
  preview.report = result->report;
  preview.report.phases.total = watch.seconds();
  for (const std::size_t view : views) {
    preview.slices = {};
    preview.slices[view] = slices[view];
    preview.sliceAt = {};
    preview.sliceAt[view] = sliceOf(request, view).begin[2 - view];
    ++preview.count;
    preview.last = view == views.back();
    deliver_({work.number, preview});
  }
  return result;
}

void LiveRunner::preview(const Work& work, const Control& control) {
  const LiveRequest& request = work.request;
  FilterJob part = sliceJob(engines_, request, work.fitting.bank, *work.shown);
  if (request.large) {
    part.asWhole = true;     // what an export computes
    part.inputIdentity = 0;  // its voxels come and go
  }

  const std::vector<std::size_t> views = viewsOf(request);
  Phases sum;
  int count = 0;
  for (const std::size_t view : views) {
    LivePreview preview;
    preview.leftOut = work.fitting.leftOut;
    part.region = sliceOf(request, view);
    preview.sliceAt[view] = part.region->begin[2 - view];
    reach::LargeVolume::Held planes;
    if (request.large) planes = request.large->hold(planesRead(part, *request.input, request.large->axis()), control);
    FilterResult slice = slices_[view].run(part, *request.input, control);
    sum.kernel += slice.report.phases.kernel;
    sum.total += slice.report.phases.total;
    preview.report = slice.report;
    preview.report.phases = sum;
    preview.count = ++count;
    preview.last = view == views.back();
    preview.slices[view] = std::make_shared<const Volume>(std::move(slice.outputs.front()));
    if (request.large) {
      largeSlice_ = LargeSlice{part, std::move(slice)};
      largeSlice_->result.outputs.front() = sharedVolume(preview.slices[view], preview.slices[view]->geometry());
    }
    deliver_({work.number, std::move(preview)});
  }
  if (!views.empty()) previewSeconds_ = sum.total;
}

void LiveRunner::verifySlice(const Work& work, const Control& control) {
  restGate_.waitOpen(control, rest_.load());
  const LargeSlice slice = *std::exchange(largeSlice_, {});
  const LiveRequest& request = work.request;
  const auto planes = request.large->hold(planesRead(slice.job, *request.input, request.large->axis()), control);
  LiveVerified verified{slice.result.report, verifyPart(slice.job, *request.input, slice.result, {}, control), true};
  verified.verification.coverage = coverageOf("the slice", verified.verification);
  verified.losses = lossNotices(reportedLosses(*request.input, slice.job.bank, slice.result.report));
  control.check();
  deliver_({work.number, std::move(verified)});
}

void LiveRunner::sweep(const Work& work, const Control& control) {
  const LiveRequest& request = work.request;
  for (std::size_t view = 0; view < 3; ++view) {
    const std::size_t axis = 2 - view;
    if (!request.swept[view]) continue;
    const std::int64_t at = sliceOf(request, view).begin[axis];
    if (axis == request.large->axis()) {
      // The planes around it are in memory, where its result was computed.
      LivePreview plane;
      plane.leftOut = work.fitting.leftOut;
      plane.sources[view] = std::make_shared<const Volume>(request.large->plane(at, control));
      plane.sliceAt[view] = at;
      deliver_({work.number, std::move(plane)});
      continue;
    }
    std::optional<FilterJob> job;
    if (work.shown) job = sliceJob(engines_, request, work.fitting.bank, *work.shown);
    SweptSlice slice = sweepSlice({engines_, variants_, *request.large, axis, at, std::move(job)}, control);
    LivePreview preview;
    preview.leftOut = work.fitting.leftOut;
    preview.report = slice.report;
    preview.slices[view] = slice.result;
    preview.sources[view] = slice.source;
    preview.sliceAt[view] = at;
    preview.count = preview.slices[view] ? 1 : 0;
    preview.last = preview.count > 0;
    control.check();
    deliver_({work.number, std::move(preview)});
    if (!slice.verification) continue;
    deliver_({work.number, LiveVerified{slice.report, *slice.verification, true,
                                        lossNotices(reportedLosses(*request.input, request.bank, slice.report))}});
  }
}

ResidentFilterResult LiveRunner::computeWhole(const Work& work, const FilterJob& job, const Control& control) {
  const LiveRequest& request = work.request;
  const bool newData = !deviceHasData(request);
  onDevice_.reset();
  noteDevice(job.engine);  // also a run in tiles, or one that fails, leaves buffers there
  ResidentFilterResult result = whole_.runResident(job, *request.input, control);
  // A run in tiles keeps nothing on the device that slices could be read from.
  if (std::ranges::any_of(result.outputs, [](const auto& output) { return output->deviceBytes() == 0; })) {
    pace_.reset();
    return result;
  }
  onDevice_ = {request.engine, request.inputIdentity};
  // What was measured with slices stays, but for other data, with which the engine may be quick again.
  if (!paceIsKnown(request) || newData)
    pace_ = {request.engine, request.variant, request.input->spec(), result.report.phases.kernel};
  return result;
}

void LiveRunner::whole(const Work& work, std::optional<ResidentFilterResult> there, const Control& control) {
  const LiveRequest& request = work.request;
  const Engine& engine = request.engine.empty() ? engines_.preferred() : engines_.at(request.engine);
  FilterJob whole = wholeJob(engine, request, work.fitting.bank);
  whole.ceilings = storedCeilings(engine.info(), request.threads);
  const bool slicesWereOfIt = there.has_value();
  if (!there) there = computeWhole(work, whole, control);
  const auto result = std::make_shared<const ResidentFilterResult>(std::move(*there));
  control.check();
  deliver_({work.number, LiveWhole{result, work.fitting.leftOut, result->report, slicesWereOfIt}});
  restGate_.waitOpen(control, rest_.load());
  LiveVerified verified{result->report, verifyFilter(whole, *request.input, *result, {}, control)};
  verified.losses = lossesOf(work, *result, verified.verification, control);
  control.check();
  deliver_({work.number, std::move(verified)});
}

std::vector<std::string> LiveRunner::lossesOf(const Work& work, const ResidentFilterResult& result,
                                              const Verification& found, const Control& control) {
  const LiveRequest& request = work.request;
  ResultLosses losses = reportedLosses(*request.input, work.fitting.bank, result.report);
  // On a device only what was compared is known.
  losses.nonFinite = found.meaningless;
  if (std::ranges::all_of(result.outputs, [](const auto& output) { return output->deviceBytes() == 0; })) {
    losses.nonFinite = 0;
    for (const auto& output : result.outputs) losses.nonFinite += countNonFinite(*output->host(control), control);
  }
  if (!inputLosses_ || request.inputIdentity == 0 || inputLosses_->identity != request.inputIdentity ||
      inputLosses_->type != losses.to)
    inputLosses_ = {request.inputIdentity, losses.to, inputLosses(*request.input, losses.to, control)};
  losses.input = inputLosses_->losses;
  return lossNotices(losses);
}

void LiveRunner::race(std::uint64_t number, const FilterContest& contest, const Control& control) {
  for (const auto& contestant : contest.contest.contestants) noteDevice(contestant.engine);
  EngineTurns turns(contest.contest, preparing(engines_, variants_, contest), gate_, control, [&](TurnsUpdate turn) {
    deliver_({number, std::move(turn)});
  });
  turns.run();
}

}  // namespace sscope
