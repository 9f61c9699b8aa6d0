// The ceilings of a device: a register-only multiply-add loop and a large copy.

#include <algorithm>
#include <ctime>

#include "core/base/stopwatch.h"
#include "gpu/device/wait.h"
#include "gpu/run/device_engine.h"

namespace sscope {

namespace {

constexpr double kSecondsEach = 0.25;
constexpr double kLaunchSeconds = 0.02;

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

// Repeats `run` (which returns device seconds) for a while after a warm-up; the best counts, as a ceiling should.
template <class F>
double bestSeconds(F&& run) {
  run();
  const Stopwatch watch;
  double best = run();
  for (int i = 1; i < 3 || watch.seconds() < kSecondsEach; ++i) best = std::min(best, run());
  return best;
}

double measureFma(DeviceEngine& engine, Precision precision, const Control& control) {
  Device& device = engine.device();
  const DeviceProperties& p = device.properties();
  const LaunchStyle style = launchStyle(p, precision);
  constexpr int kChains = 16;
  KernelSource source{
      "ceiling_fma", {}, precision, style.vector, {p.cpu ? 1 : std::min<std::int64_t>(256, p.largestGroup), 1}, {}};
  source.define("CHAINS", kChains);
  const auto argument = [&](double value) -> KernelArgument {
    if (precision == Precision::f64) return value;
    return static_cast<float>(value);
  };
  const auto arguments = [&](const DeviceBuffer* out, std::int32_t rounds) {
    // A factor below one keeps the sums finite and away from denormals, where some processors are slow.
    return std::vector<KernelArgument>{out, argument(0.999), argument(0.001), rounds};
  };
  const auto kernel = ProgramCache::wait(engine.programs().start(source, arguments(nullptr, 0)), control);
  const std::int64_t groups = p.cpu ? p.computeUnits * 4 : p.computeUnits * 16;
  const std::int64_t items = groups * source.group[0];
  const auto out = device.allocate(items * style.vector * 8);
  std::int32_t rounds = 1024;
  const auto launch = [&] {
    const auto event = device.launch(*kernel->kernel, {{groups, 1}, source.group}, arguments(out.get(), rounds));
    waitFor(*event, control);
    return event->seconds();
  };
  launch();
  const double first = std::max(launch(), 1e-6);
  rounds = static_cast<std::int32_t>(std::clamp(1024 * kLaunchSeconds / first, 1024.0, 1e8));
  const double operations = 2.0 * kChains * style.vector * static_cast<double>(items) * rounds;
  return operations / bestSeconds(launch) * 1e-9;
}

double measureCopy(DeviceEngine& engine, const Control& control) {
  Device& device = engine.device();
  const DeviceProperties& p = device.properties();
  const LaunchStyle style = launchStyle(p, Precision::f32);
  const int vector = p.cpu ? style.vector : 4;
  KernelSource source{
      "ceiling_copy", {}, Precision::f32, vector, {p.cpu ? 64 : std::min<std::int64_t>(256, p.largestGroup), 1}, {}};
  const auto kernel = ProgramCache::wait(
      engine.programs().start(source, {static_cast<const DeviceBuffer*>(nullptr),
                                       static_cast<const DeviceBuffer*>(nullptr), std::int32_t{0}, std::int32_t{0}}),
      control);
  // Far beyond any last-level cache, within what the device gives.
  const std::int64_t wanted = p.cpu ? std::int64_t{256} << 20 : std::int64_t{1} << 30;
  const std::int64_t largest = p.largestAllocation > 0 ? p.largestAllocation : p.memoryBytes;
  const std::int64_t bytes = std::min({wanted, p.memoryBytes / 4, largest}) / 4096 * 4096;
  const auto from = device.allocate(bytes);
  const auto to = device.allocate(bytes);
  const auto vectors = static_cast<std::int32_t>(bytes / (4 * vector));
  // In eight launches, so that a stop is answered soon.
  const std::int32_t part = (vectors + 7) / 8;
  const auto copy = [&](const DeviceBuffer& origin, const DeviceBuffer& target) {
    double seconds = 0;
    for (std::int32_t at = 0; at < vectors; at += part) {
      const std::int32_t n = std::min(part, vectors - at);
      const std::vector<KernelArgument> arguments{&origin, &target, at, n};
      const auto event =
          device.launch(*kernel->kernel, {{(n + source.group[0] - 1) / source.group[0], 1}, source.group}, arguments);
      waitFor(*event, control);
      seconds += event->seconds();
    }
    return seconds;
  };
  copy(*to, *from);  // memory that was never written may be one page of zeros behind the scenes
  return 2.0 * 4.0 * vector * vectors / bestSeconds([&] { return copy(*from, *to); }) * 1e-9;
}

}  // namespace

Ceilings DeviceEngine::measureCeilings(int, const Control& control) {
  const auto held = lock(control);
  workspace_.require({}, 0);  // the copy wants the memory, two quarters of it
  results_->shrink(budget(0) - info_.memoryBytes / 2, control);
  Ceilings ceilings;
  ceilings.gflopsF32 = measureFma(*this, Precision::f32, control);
  if (info_.fp64) ceilings.gflopsF64 = measureFma(*this, Precision::f64, control);
  ceilings.gbs = measureCopy(*this, control);
  ceilings.date = today();
  return ceilings;
}

}  // namespace sscope
