// The ceilings of a device: a register-only multiply-add loop, a large copy, and further limits.

#include <algorithm>
#include <bit>
#include <ctime>
#include <functional>

#include "core/base/stopwatch.h"
#include "gpu/device/device.h"
#include "gpu/run/device_engine.h"

namespace sscope {

namespace {

constexpr double kSecondsEach = 0.25, kSecondsBeside = 0.1;
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
double bestSeconds(double atLeast, F&& run) {
  run();
  const Stopwatch watch;
  double best = run();
  for (int i = 1; i < 3 || watch.seconds() < atLeast; ++i) best = std::min(best, run());
  return best;
}

// A kernel that repeats its loop a given number of times.
struct Loop {
  KernelSource source;
  std::int64_t groups = 1, resultBytes = 4;  // the latter of each work item
  double perRound = 0;                       // operations or bytes of a work item in a round
  double seconds = kSecondsEach;             // to measure for
  std::function<std::vector<KernelArgument>(const DeviceBuffer* out, std::int32_t rounds)> arguments;
};

// Its rate in thousand millions per second.
double rateOf(DeviceEngine& engine, const Loop& loop, const Control& control) {
  Device& device = engine.device();
  const auto kernel = ProgramCache::wait(engine.programs().start(loop.source, loop.arguments(nullptr, 0)), control);
  const std::int64_t items = loop.groups * loop.source.group[0];
  const auto out = device.allocate(items * loop.resultBytes);
  std::int32_t rounds = 1024;
  const auto launch = [&] {
    const auto event =
        device.launch(*kernel->kernel, {{loop.groups, 1}, loop.source.group}, loop.arguments(out.get(), rounds));
    waitFor(*event, control);
    return event->seconds();
  };
  launch();
  const double first = std::max(launch(), 1e-6);
  rounds = static_cast<std::int32_t>(std::clamp(1024 * kLaunchSeconds / first, 1024.0, 1e8));
  return loop.perRound * static_cast<double>(items) * rounds / bestSeconds(loop.seconds, launch) * 1e-9;
}

std::int64_t groupsFor(const DeviceProperties& p) { return p.cpu ? p.computeUnits * 4 : p.computeUnits * 16; }
std::int64_t itemsFor(const DeviceProperties& p) { return std::min<std::int64_t>(p.cpu ? 64 : 256, p.largestGroup); }

constexpr int kChains = 16;

double measureFma(DeviceEngine& engine, Precision precision, const Control& control) {
  const DeviceProperties& p = engine.device().properties();
  const LaunchStyle style = launchStyle(p, precision);
  Loop loop{{"ceiling_fma", {}, precision, style.vector, {p.cpu ? 1 : itemsFor(p), 1}, {}},
            groupsFor(p),
            8L * style.vector,
            2.0 * kChains * style.vector,
            kSecondsEach,
            {}};
  loop.source.define("CHAINS", kChains);
  const auto argument = [precision](double value) -> KernelArgument {
    if (precision == Precision::f64) return value;
    return static_cast<float>(value);
  };
  // A factor below one keeps the sums finite and away from denormals, where some processors are slow.
  loop.arguments = [argument](const DeviceBuffer* out, std::int32_t rounds) -> std::vector<KernelArgument> {
    return {out, argument(0.999), argument(0.001), rounds};
  };
  return rateOf(engine, loop, control);
}

// The better of two kinds: dot products of bytes, where the device has an instruction for them, and 32 bits.
double measureIntegers(DeviceEngine& engine, const Control& control) {
  const DeviceProperties& p = engine.device().properties();
  double best = 0;
  for (const bool dot : {false, true}) {
    Loop loop{{"ceiling_integer", {}, Precision::f32, 1, {itemsFor(p), 1}, {}},
              groupsFor(p),
              4,
              (dot ? 8.0 : 2.0) * kChains,
              kSecondsBeside,
              {}};
    loop.source.define("CHAINS", kChains);
    loop.source.define("DOT", dot ? 1 : 0);
    loop.arguments = [](const DeviceBuffer* out, std::int32_t rounds) -> std::vector<KernelArgument> {
      return {out, std::int32_t{3}, rounds};
    };
    best = std::max(best, rateOf(engine, loop, control));
  }
  return best;
}

// Multiply-adds that load from local memory.
double measureLocal(DeviceEngine& engine, const Control& control) {
  constexpr int kCells = 1024;
  const DeviceProperties& p = engine.device().properties();
  Loop loop{{"ceiling_local", {}, Precision::f32, 1, {itemsFor(p), 1}, {}},
            groupsFor(p),
            4,
            2.0 * kChains,
            kSecondsBeside,
            {}};
  loop.source.define("CHAINS", kChains);
  loop.source.define("CELLS", kCells);
  loop.source.define("STEP", kCells / kChains);
  loop.arguments = [](const DeviceBuffer* out, std::int32_t rounds) -> std::vector<KernelArgument> {
    return {out, 0.999F, rounds};
  };
  return rateOf(engine, loop, control);
}

// Reads from the cache that all compute units share; 0 where its size is not known.
double measureCache(DeviceEngine& engine, const Control& control) {
  constexpr int kLoads = 8;
  Device& device = engine.device();
  const DeviceProperties& p = device.properties();
  const int vector = p.cpu ? launchStyle(p, Precision::f32).vector : 4;
  const std::int64_t vectors =
      static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(p.lastCacheBytes, 0)) /
                                               (4U * 4U * static_cast<unsigned>(vector))));
  if (vectors < kLoads * itemsFor(p)) return 0;
  const std::vector<std::byte> zeros(static_cast<std::size_t>(vectors * 4 * vector), std::byte{0});
  const auto from = device.allocate(std::ssize(zeros));
  waitFor(*device.write(*from, 0, zeros), control);
  Loop loop{{"ceiling_cache", {}, Precision::f32, vector, {itemsFor(p), 1}, {}},
            groupsFor(p),
            4L * vector,
            4.0 * vector * kLoads,
            kSecondsBeside,
            {}};
  loop.source.define("LOADS", kLoads);
  loop.source.define("MASK", vectors - 1);
  loop.arguments = [&](const DeviceBuffer* out, std::int32_t rounds) -> std::vector<KernelArgument> {
    return {from.get(), out, rounds};
  };
  return rateOf(engine, loop, control);
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
  // Far larger than any last-level cache, within the device's limits.
  const std::int64_t wanted = p.cpu ? std::int64_t{256} << 20 : std::int64_t{1} << 30;
  const std::int64_t largest = p.largestAllocation > 0 ? p.largestAllocation : p.memoryBytes;
  const std::int64_t bytes = std::min({wanted, p.memoryBytes / 4, largest}) / 4096 * 4096;
  const auto from = device.allocate(bytes);
  const auto to = device.allocate(bytes);
  const auto vectors = static_cast<std::int32_t>(bytes / (4 * vector));
  // In eight launches, so that a stop request is answered soon.
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
  copy(*to, *from);  // memory that was never written may be mapped to one page of zeros
  return 2.0 * 4.0 * vector * vectors / bestSeconds(kSecondsEach, [&] { return copy(*from, *to); }) * 1e-9;
}

}  // namespace

Ceilings DeviceEngine::measureCeilings(int, const Control& control) {
  const auto held = lock(control);
  workspace_.require({}, 0);  // the copy needs half of the memory
  results_->shrink(budget(0) - info_.memoryBytes / 2, control);
  Ceilings ceilings;
  ceilings.gflopsF32 = measureFma(*this, Precision::f32, control);
  if (info_.fp64) ceilings.gflopsF64 = measureFma(*this, Precision::f64, control);
  ceilings.gbs = measureCopy(*this, control);
  ceilings.gopsInteger = measureIntegers(*this, control);
  ceilings.gflopsLoaded = measureLocal(*this, control);
  ceilings.gbsLocal = 2 * ceilings.gflopsLoaded;  // four bytes for two operations
  ceilings.gbsCache = measureCache(*this, control);
  ceilings.date = today();
  return ceilings;
}

}  // namespace sscope
