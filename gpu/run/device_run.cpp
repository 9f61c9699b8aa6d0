#include "gpu/run/device_run.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/stopwatch.h"
#include "gpu/device/device.h"
#include "gpu/device/transfer.h"

namespace sscope {

DeviceRun::Progress DeviceRun::part(double from, double to, const char* words) const {
  return [this, from, to, words](double share) { control.report(from + (to - from) * share, words); };
}

void DeviceRun::upload(PhaseOfRun phase) {
  if (planes != nullptr) {
    upload(planes->from, phase);
    return;
  }
  std::vector<std::int64_t> slices(static_cast<std::size_t>(inputs.arrays[0].extent[2]));
  std::iota(slices.begin(), slices.end(), 0);
  upload(slices, phase);
}

void DeviceRun::upload(std::span<const std::int64_t> slices, PhaseOfRun phase) {
  if (lent(0)) {
    if (phase != kTimedAround) emptyCaches();
    return;
  }
  const ConstArrayView& input = inputs.arrays[0];
  Workspace& space = engine.workspace();
  ResidentInput wanted{inputs.identity, {input.type, input.extent}};
  if (planes != nullptr) wanted.slices = planes->from;
  const bool stays = inputs.identity != 0 && (planes != nullptr || std::ssize(slices) == input.extent[2]);
  if (!stays || space.resident != wanted)
    timed(phase, [&] {
      const Stopwatch watch;
      space.resident.reset();
      engine.transfer().uploadSlices(input, slices, space.at(kInput), control);
      if (stays) space.resident = wanted;
      note("upload", watch.seconds());
    });
  if (phase != kTimedAround) emptyCaches();
}

void DeviceRun::emptyCaches() {
  if (!cold) return;
  const Stopwatch watch;
  engine.emptyCaches(control);
  report.emptying += watch.seconds();
}

void DeviceRun::launch(const KernelStage& stage, PhaseOfRun phase, const Progress& finished, const KeepEvent& keep) {
  SplitLaunch launch = stage.launch(engine.workspace());
  launch.keep = keep;
  const double seconds = runSplit(
      engine.device(), launch, control, finished ? finished : [](double) {});
  note(stage.source.entry, seconds);
  if (phase != kTimedAround) report.phases.*phase += seconds;
}

bool DeviceRun::launchInRow(std::span<const KernelStage> stages) {
  std::vector<SplitLaunch> launches;
  for (const KernelStage& stage : stages) launches.push_back(stage.launch(engine.workspace()));
  const auto seconds = runInRow(engine.device(), launches, true, control);
  if (!seconds) return false;
  report.phases.kernel += *seconds;
  if (trace != nullptr) {
    std::string names;
    for (const KernelStage& stage : stages) names += (names.empty() ? "" : " + ") + stage.source.entry;
    note(names, *seconds);
  }
  return true;
}

double DeviceRun::launchRepeatedly(std::span<const KernelStage> stages, int times, const KeepEvent& keep) {
  std::vector<KernelLaunch> launches;
  const std::size_t each = stages.size(), all = each * static_cast<std::size_t>(times);
  launches.reserve(all);
  for (const KernelStage& stage : stages) launches.push_back(wholeLaunch(stage.launch(engine.workspace())));
  for (std::size_t i = each; i < all; ++i) launches.push_back(launches[i - each]);
  double seconds = 0;
  if (!keep) {
    const auto event = engine.device().launchInRow(launches, Queue::Kernels);
    waitFor(*event, control);
    seconds = event->seconds();
  } else {
    std::vector<std::unique_ptr<DeviceEvent>> events;
    for (const KernelLaunch& one : launches)
      events.push_back(engine.device().launch(*one.kernel, one.shape, one.arguments));
    waitFor(*events.back(), control);
    seconds = events.back()->startsAfter(*events.front()) + events.back()->seconds();
    for (auto& event : events) keep(std::move(event));
  }
  report.phases.kernel += seconds;
  if (trace != nullptr)
    note(stages.front().source.entry +
             (launches.size() > 1 ? " and " + std::to_string(launches.size() - 1) + " more" : ""),
         seconds);
  return seconds;
}

void DeviceRun::download(Slot from, std::size_t output, std::int64_t offset, PhaseOfRun phase) {
  const ArrayView& to = outputs[output];
  if (planes != nullptr) offset += planes->first * sliceBytes(to);
  timed(phase, [&] {
    const Stopwatch watch;
    engine.transfer().downloadSlices(engine.workspace().at(from), to, 0, to.extent[2], control, offset);
    note("download", watch.seconds());
  });
}

void DeviceRun::downloadSlices(Slot from, std::size_t output, std::int64_t first, std::int64_t count) {
  timed(&Phases::download, [&] {
    const Stopwatch watch;
    engine.transfer().downloadSlices(engine.workspace().at(from), outputs[output], first, count, control);
    note("download", watch.seconds());
  });
}

void DeviceRun::write(const OwnBuffer& buffer, std::span<const std::byte> data) {
  engine.transfer().write(*buffer, 0, data, control);
}

void DeviceRun::read(const OwnBuffer& buffer, std::span<std::byte> data) {
  engine.transfer().read(*buffer, 0, data, control);
}

void DeviceRun::timed(PhaseOfRun phase, const std::function<void()>& stages) {
  const Stopwatch watch;
  stages();
  if (phase != kTimedAround) report.phases.*phase += watch.seconds();
}

std::vector<std::int64_t> DeviceRun::counted(const OwnBuffer& counters, std::size_t count,
                                             const std::function<void()>& stages) {
  std::vector<std::uint64_t> counts(count, 0);
  const auto bytes = std::as_writable_bytes(std::span(counts));
  if (counters) waitFor(*engine.device().write(*counters, 0, bytes), control);
  stages();
  if (counters) waitFor(*engine.device().read(*counters, 0, bytes), control);
  return {counts.begin(), counts.end()};
}

SlabCopies::SlabCopies(DeviceRun& run, std::span<const Slot> outputs, std::span<const Slot> spare)
    : run_(run),
      denseInput_(denseSlices(run.inputs.arrays[0])),
      denseOutputs_(std::ranges::all_of(run.outputs, denseSlices<ArrayView>)),
      kernelBefore_(run.report.phases.kernel),
      uploadBefore_(run.report.phases.upload),
      downloadBefore_(run.report.phases.download),
      copies_(run.engine.device(), run.engine.transfer().pieces(), run.control) {
  for (const Slot slot : outputs) outputs_.push_back({slot});
  for (const Slot slot : spare) spare_.push_back({slot});
}

ResidentInput SlabCopies::wanted() const {
  const ConstArrayView& input = run_.inputs.arrays[0];
  return {run_.inputs.identity, {input.type, input.extent}};
}

void SlabCopies::upload(std::span<const std::vector<bool>> needed) {
  const ConstArrayView& input = run_.inputs.arrays[0];
  const bool stays = run_.inputs.identity != 0;
  if (!denseInput_) {
    run_.upload();
    return;
  }
  if (stays && run_.engine.workspace().resident == wanted()) return;
  run_.engine.workspace().resident.reset();
  std::vector<bool> asked(static_cast<std::size_t>(input.extent[2]));
  std::vector<std::int64_t> slices;
  const auto collect = [&](auto&& take) {
    slices.clear();
    for (std::size_t z = 0; z < asked.size(); ++z) {
      if (asked[z] || !take(z)) continue;
      asked[z] = true;
      slices.push_back(static_cast<std::int64_t>(z));
    }
  };
  std::optional<std::size_t> last;
  for (const std::vector<bool>& slab : needed) {
    collect([&](std::size_t z) { return slab[z]; });
    if (!slices.empty()) last = copyUp(slices);
    uploads_.push_back(last);
  }
  collect([&](std::size_t) { return stays; });
  copyUp(slices);
}

std::size_t SlabCopies::copyUp(std::span<const std::int64_t> slices) {
  const ConstArrayView& input = run_.inputs.arrays[0];
  std::size_t last = 0;
  forEachRun(input, slices, [&](std::int64_t first, std::span<const std::byte> bytes) {
    last = copies_.upload(run_.engine.workspace().at(kInput),
                          slices[static_cast<std::size_t>(first)] * sliceBytes(input), bytes);
  });
  return last;
}

void SlabCopies::waitForInput(std::size_t slab) {
  if (slab < uploads_.size() && uploads_[slab]) copies_.waitForUpload(*uploads_[slab]);
}

void SlabCopies::renewOutput(std::size_t from) {
  Target& output = outputs_[from];
  if (!spare_.empty()) {
    Target& other = spare_[std::exchange(next_, (next_ + 1) % spare_.size())];
    run_.engine.workspace().exchange(output.slot, other.slot);
    std::swap(output.read, other.read);
  }
  if (output.read) copies_.waitForDownload(*output.read);
  output.read.reset();
}

void SlabCopies::download(std::size_t from, std::size_t output, std::int64_t first, std::int64_t count) {
  Target& target = outputs_[from];
  const ArrayView& to = run_.outputs[output];
  if (!denseOutputs_) {
    run_.downloadSlices(target.slot, output, first, count);
    return;
  }
  std::vector<std::int64_t> slices(static_cast<std::size_t>(count));
  std::iota(slices.begin(), slices.end(), first);
  forEachRun(to, slices, [&](std::int64_t place, std::span<std::byte> bytes) {
    target.read = copies_.download(run_.engine.workspace().at(target.slot), place * sliceBytes(to), bytes);
  });
}

void SlabCopies::finish() {
  copies_.waitForAll();
  if (denseInput_ && run_.inputs.identity != 0) run_.engine.workspace().resident = wanted();
  Phases& phases = run_.report.phases;
  phases.upload += copies_.uploadSeconds();
  phases.download += copies_.downloadSeconds();
  if (run_.trace != nullptr) {
    const double up = run_.trace->now() - copies_.uploadClock(), down = run_.trace->now() - copies_.downloadClock();
    for (const Copies::Time& time : copies_.uploadTimes()) run_.trace->add("upload", up + time.begin, up + time.end);
    for (const Copies::Time& time : copies_.downloadTimes())
      run_.trace->add("download", down + time.begin, down + time.end);
  }
  const double sum = phases.upload - uploadBefore_ + phases.kernel - kernelBefore_ + phases.download - downloadBefore_;
  phases.overlap += std::max(0.0, sum - watch_.seconds());
}

}  // namespace sscope
