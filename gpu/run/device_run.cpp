#include "gpu/run/device_run.h"

#include <numeric>
#include <utility>

#include "core/base/stopwatch.h"
#include "gpu/device/slices.h"
#include "gpu/device/wait.h"

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

}  // namespace sscope
