#include "gpu/run/device_engine.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "core/cpu/run/ceilings.h"
#include "gpu/cuda/nvml.h"
#include "gpu/device/wait.h"
#include "gpu/run/cache_sweep.h"

namespace sscope {

namespace {

// A compute unit of a graphics processor has 128 lanes, as NVIDIA's since 2020 have; a core does two vectors at once.
// Clocks that the driver does not tell are taken as 1.5 GHz. Half as many doubles as floats are multiplied by
// processors and by those of NVIDIA's devices that are made for computing, of capabilities 6.0, 7.0, 8.0, 9.0 and 10.0
// (CUDA C++ Programming Guide, throughput of native arithmetic instructions); by others few.
Ceilings nominalOf(const DeviceProperties& device) {
  const double clock = device.clockKhz > 0 ? 1e-6 * device.clockKhz : 1.5;
  const double multiplyAdds = device.cpu ? 2.0 * device.vectorF32 : 128;
  Ceilings nominal;
  nominal.gflopsF32 = 2 * multiplyAdds * clock * device.computeUnits;
  const bool doubles =
      device.cpu || (device.capabilityMajor >= 6 && device.capabilityMajor <= 10 && device.capabilityMinor == 0);
  nominal.gflopsF64 = nominal.gflopsF32 / (doubles ? 2 : 32);
  nominal.gbs = (device.cpu ? 10.0 : 20.0) * device.computeUnits;
  return nominal;
}

// Measured: gaussians on PoCL beside other load; gaussians of 3 to 17 taps an axis and dense 7 x 7 x 7 on an H100.
constexpr double kAttainedOnProcessors = 0.15, kAttainedOnDevices = 0.6;

EngineInfo infoOf(std::string id, EngineKind kind, const DeviceProperties& device) {
  EngineInfo info;
  info.id = std::move(id);
  info.kind = kind;
  info.name = device.name;
  info.driver = device.driver;
  info.fp64 = device.fp64;
  info.computeUnits = device.computeUnits;
  info.memoryBytes = device.memoryBytes;
  info.largestAllocation = device.largestAllocation;
  info.localBytes = device.localBytes;
  info.largestGroup = device.largestGroup;
  info.largestImage = device.largestImage;
  info.isProcessor = device.cpu;
  info.nominal = nominalOf(device);
  info.attained = device.cpu ? kAttainedOnProcessors : kAttainedOnDevices;
  info.searchRefused = device.searchRefused;
  return info;
}

}  // namespace

DeviceEngine::DeviceEngine(std::string id, EngineKind kind, std::unique_ptr<Device> device)
    : info_(infoOf(std::move(id), kind, device->properties())),
      device_(std::move(device)),
      workspace_(*device_),
      transfer_(*device_),
      programs_(*device_),
      results_(std::make_shared<ResultStore>(*this)) {}

DeviceEngine::~DeviceEngine() {
  const std::lock_guard lock(mutex_);
  results_->close();
}

std::optional<ClockReading> DeviceEngine::readClock() {
  if (!device_->properties().cpu) return readNvidiaClock(device_->properties().pci);
  const double megahertz = cpu::serialMegahertz();
  if (megahertz <= 0) return {};
  return ClockReading{megahertz, 0, {}};
}

void DeviceEngine::poison(std::uint8_t byte, const Control& control) {
  constexpr std::int64_t kPiece = std::int64_t{16} << 20;
  const auto held = lock(control);
  workspace_.resident.reset();
  std::vector<std::byte> piece;
  const auto cover = [&](const DeviceBuffer& buffer) {
    const std::int64_t bytes = buffer.bytes();
    const auto most = static_cast<std::size_t>(std::min(bytes, kPiece));
    if (piece.size() < most) piece.assign(most, static_cast<std::byte>(byte));
    for (std::int64_t at = 0; at < bytes; at += kPiece) {
      const auto size = static_cast<std::size_t>(std::min(kPiece, bytes - at));
      waitFor(*device_->write(buffer, at, std::span(piece).first(size), Queue::Kernels), control);
    }
  };
  workspace_.forEach(cover);
  results_->forEachUnused(cover);
}

void DeviceEngine::emptyCaches(const Control& control) {
  if (!sweep_) sweep_ = std::make_unique<CacheSweep>(*this, control);
  sweep_->run(control);
}

std::unique_lock<std::timed_mutex> DeviceEngine::lock(const Control& control) {
  std::unique_lock lock(mutex_, std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(10))) control.check();
  return lock;
}

HeldMemory DeviceEngine::heldMemory() const { return {results_->bytes(), workspace_.bytes(), budget(0)}; }

void DeviceEngine::giveBack(const Control& control) {
  const auto held = lock(control);
  workspace_.clear();
  results_->giveBack();
  sweep_.reset();
}

std::int64_t DeviceEngine::budget(std::int64_t limit) const {
  // The rest is for the driver, tables, and whoever else uses the device.
  const std::int64_t usable = info_.memoryBytes / 10 * 9;
  return limit > 0 ? std::min(limit, usable) : usable;
}

std::int64_t DeviceEngine::largestBuffer() const {
  return info_.largestAllocation > 0 ? info_.largestAllocation : info_.memoryBytes;
}

LaunchStyle launchStyle(const DeviceProperties& device, Precision precision) {
  LaunchStyle style;
  if (device.cpu) {
    const int preferred = precision == Precision::f32 ? device.vectorF32 : device.vectorF64;
    style.vector = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(preferred, 1, 16))));
    style.group = {8, 1};
  }
  while (style.group[0] * style.group[1] > device.largestGroup) {
    auto& larger = style.group[1] > 1 ? style.group[1] : style.group[0];
    larger /= 2;
  }
  return style;
}

}  // namespace sscope
