#include "core/live/live_runner.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/error_words.h"

namespace sscope {

namespace {

FilterJob jobOf(const LiveRequest& request) {
  FilterJob job;
  job.bank = request.bank;
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
  return engine.info().kind == EngineKind::Cpu ? engine.info().id : engines.preferred().info().id;
}

}  // namespace

LiveRunner::LiveRunner(const EngineSet& engines, const VariantTable& variants, std::function<void(LiveUpdate)> deliver)
    : engines_(engines),
      variants_(variants),
      deliver_(std::move(deliver)),
      thread_([this](const std::stop_token& ending) { loop(ending); }) {}

LiveRunner::~LiveRunner() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  running_.request_stop();
  previewing_.request_stop();
}

std::uint64_t LiveRunner::submit(LiveRequest request) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = ++numbers_;
  waiting_ = Job{number, std::move(request)};
  canceled_ = false;
  running_.request_stop();
  wake_.notify_all();
  return number;
}

void LiveRunner::cancel() {
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  canceled_ = true;
  running_.request_stop();
  previewing_.request_stop();
  wake_.notify_all();  // nothing waits any more: waitIdle() may be over
}

bool LiveRunner::busy() const {
  const std::lock_guard lock(mutex_);
  return working_ || waiting_.has_value();
}

void LiveRunner::waitIdle() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [&] { return !working_ && !waiting_; });
}

void LiveRunner::loop(const std::stop_token& ending) {
  while (true) {
    Job job;
    std::stop_token stop, previewStop;
    {
      std::unique_lock lock(mutex_);
      working_ = false;
      wake_.notify_all();
      if (!wake_.wait(lock, ending, [&] { return waiting_.has_value(); })) return;
      job = std::move(*waiting_);
      waiting_.reset();
      working_ = true;
      running_ = std::stop_source();
      previewing_ = std::stop_source();
      stop = running_.get_token();
      previewStop = previewing_.get_token();
    }
    execute(job, stop, previewStop);
  }
}

void LiveRunner::execute(const Job& job, const std::stop_token& stop, const std::stop_token& previewStop) {
  LiveUpdate update;
  update.request = job.number;
  Control control;
  control.stop = stop;
  control.progress = [&](double fraction, std::string_view stage) {
    LiveUpdate progress;
    progress.stage = LiveUpdate::Stage::Progress;
    progress.request = job.number;
    progress.fraction = fraction;
    progress.message = stage;
    deliver_(std::move(progress));
  };
  try {
    if (!job.request.input) throw Error(ErrorKind::Usage, "there is no data to filter", "open a file or a sample");
    // A preview is short: it is finished even when a newer setting is already waiting, so that a slider dragged
    // without a pause still shows pictures.
    if (job.request.preview) preview(job, Control{previewStop, {}});
    control.check();
    if (job.request.whole) whole(job, control);
    compare(job, control);
    update.stage = LiveUpdate::Stage::Idle;
  } catch (const Canceled&) {
    const std::lock_guard lock(mutex_);
    // Superseded work ends silently; work the user stopped says so.
    if (!canceled_) return;
    update.stage = LiveUpdate::Stage::Canceled;
  } catch (const std::exception& error) {
    update.stage = LiveUpdate::Stage::Failed;
    update.message = wordsOf(error);
  }
  deliver_(std::move(update));
}

void LiveRunner::preview(const Job& job, const Control& control) {
  const LiveRequest& request = job.request;
  const VolumeShape& shape = request.input->shape();
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  FilterJob part = jobOf(request);
  part.engine = previewEngine(engines_, request.engine);
  if (part.engine != request.engine) part.variant.clear();
  part.only = {std::min(request.shownFilter, std::max<std::size_t>(request.bank.enabled().size(), 1) - 1)};

  LiveUpdate update;
  update.stage = LiveUpdate::Stage::Preview;
  update.request = job.number;
  Phases sum;
  for (std::size_t view = 0; view < 3; ++view) {  // axial, coronal, sagittal
    const std::size_t axis = 2 - view;
    if (extent[2] == 1 && axis != 2) continue;  // an image has one slice
    const std::int64_t at = std::clamp<std::int64_t>(request.crosshair[axis], 0, extent[axis] - 1);
    update.sliceAt[view] = at;
    part.region = sliceBox(shape, axis, at);
    FilterResult slice = runFilter(engines_, variants_, part, *request.input, control);
    sum.kernel += slice.report.phases.kernel;
    sum.total += slice.report.phases.total;
    update.report = slice.report;
    update.slices[view] = std::make_shared<const Volume>(std::move(slice.outputs.front()));
  }
  update.report.phases = sum;
  deliver_(std::move(update));
}

void LiveRunner::whole(const Job& job, const Control& control) {
  const LiveRequest& request = job.request;
  const FilterJob whole = jobOf(request);
  auto result = std::make_shared<const FilterResult>(runFilter(engines_, variants_, whole, *request.input, control));
  control.check();
  LiveUpdate update;
  update.stage = LiveUpdate::Stage::Whole;
  update.request = job.number;
  update.result = result;
  update.report = result->report;
  deliver_(update);
  update.verification = verifyFilter(whole, *request.input, *result, {}, control);
  control.check();
  update.stage = LiveUpdate::Stage::Verified;
  deliver_(std::move(update));
}

void LiveRunner::compare(const Job& job, const Control& control) {
  const LiveRequest& request = job.request;
  for (const std::string& id : request.compare) {
    if (id == request.engine) continue;
    FilterJob other = jobOf(request);
    other.engine = id;
    other.variant.clear();
    LiveUpdate update;
    update.stage = LiveUpdate::Stage::Compared;
    update.request = job.number;
    try {
      const FilterResult result = runFilter(engines_, variants_, other, *request.input, control);
      update.report = result.report;
      update.verification = verifyFilter(other, *request.input, result, {}, control);
    } catch (const Canceled&) {
      throw;
    } catch (const std::exception& error) {
      update.report.engine = id;
      update.message = wordsOf(error);
    }
    control.check();
    deliver_(std::move(update));
  }
}

}  // namespace sscope
