#include "gpu/cuda/nvml.h"

#include <fmt/core.h>

#include <array>
#include <initializer_list>
#include <memory>

#include "core/base/error.h"
#include "gpu/cuda/shared_library.h"

namespace sscope {

namespace {

// Names and numbers are those of nvml.h.
using NvmlResult = int;
constexpr NvmlResult kNvmlSuccess = 0;
using NvmlDevice = struct NvmlDeviceState*;
enum class NvmlClock : int { Sm = 1, Memory = 2 };
struct NvmlRates {
  unsigned kernels = 0, memory = 0;  // percent
};
struct NvmlMemory {
  unsigned long long total = 0, unused = 0, used = 0;  // bytes
};

struct NvmlApi {
  explicit NvmlApi(const SharedLibrary& library)
      : init{library},
        deviceAt{library},
        clock{library},
        reasons(find<Reasons>(library,
                              {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"})),
        rates(find<Rates>(library, {"nvmlDeviceGetUtilizationRates"})),
        memory(find<Memory>(library, {"nvmlDeviceGetMemoryInfo"})),
        power(find<Power>(library, {"nvmlDeviceGetPowerUsage"})) {}

  LibraryFunction<"nvmlInit_v2", NvmlResult()> init;
  LibraryFunction<"nvmlDeviceGetHandleByPciBusId_v2", NvmlResult(const char*, NvmlDevice*)> deviceAt;
  LibraryFunction<"nvmlDeviceGetClockInfo", NvmlResult(NvmlDevice, NvmlClock, unsigned*)> clock;
  // Newer drivers have a second name for the first one; null if neither exists.
  using Reasons = NvmlResult(NvmlDevice, unsigned long long*);
  using Rates = NvmlResult(NvmlDevice, NvmlRates*);
  using Memory = NvmlResult(NvmlDevice, NvmlMemory*);
  using Power = NvmlResult(NvmlDevice, unsigned*);
  Reasons* reasons;
  Rates* rates;
  Memory* memory;
  Power* power;  // milliwatts

 private:
  template <class Function>
  static Function* find(const SharedLibrary& library, std::initializer_list<const char*> names) {
    void* found = nullptr;
    for (const char* name : names)
      if (found == nullptr) found = library.find(name);
    return reinterpret_cast<Function*>(found);
  }
};

class Nvml {
 public:
  Nvml() : library_(std::array<std::string, 1>{"libnvidia-ml.so.1"}), api_(library_) {
    if (api_.init() != kNvmlSuccess) throw Error(ErrorKind::Device, "NVIDIA's management library does not start");
  }
  // Null where the library is missing, too old or does not start.
  static const Nvml* instance() {
    static const std::unique_ptr<const Nvml> nvml = [] {
      try {
        return std::make_unique<const Nvml>();
      } catch (const Error&) {
        return std::unique_ptr<const Nvml>();
      }
    }();
    return nvml.get();
  }
  [[nodiscard]] std::optional<ClockReading> read(const std::string& pci) const {
    NvmlDevice device = nullptr;
    unsigned multiprocessors = 0, memory = 0;
    if (api_.deviceAt(pci.c_str(), &device) != kNvmlSuccess) return {};
    if (api_.clock(device, NvmlClock::Sm, &multiprocessors) != kNvmlSuccess || multiprocessors == 0) return {};
    ClockReading reading;
    reading.megahertz = multiprocessors;
    if (api_.clock(device, NvmlClock::Memory, &memory) == kNvmlSuccess) reading.memoryMegahertz = memory;
    unsigned long long reasons = 0;
    if (api_.reasons != nullptr && api_.reasons(device, &reasons) == kNvmlSuccess)
      reading.limits = clockLimits(reasons);
    return reading;
  }
  [[nodiscard]] DeviceLoad readLoad(const std::string& pci) const {
    DeviceLoad load;
    NvmlDevice device = nullptr;
    if (api_.deviceAt(pci.c_str(), &device) != kNvmlSuccess) {
      load.unavailable = "NVIDIA's management library does not know the device";
      return load;
    }
    NvmlRates rates;
    if (api_.rates != nullptr && api_.rates(device, &rates) == kNvmlSuccess) load.busy = rates.kernels;
    NvmlMemory memory;
    if (api_.memory != nullptr && api_.memory(device, &memory) == kNvmlSuccess) {
      load.memoryBytes = static_cast<double>(memory.used);
      load.memoryTotal = static_cast<double>(memory.total);
    }
    unsigned clock = 0, milliwatts = 0;
    if (api_.clock(device, NvmlClock::Sm, &clock) == kNvmlSuccess && clock > 0) load.megahertz = clock;
    if (api_.power != nullptr && api_.power(device, &milliwatts) == kNvmlSuccess) load.watts = 1e-3 * milliwatts;
    if (!load.busy && !load.memoryBytes && !load.megahertz && !load.watts)
      load.unavailable = "NVIDIA's management library has no data about the device";
    return load;
  }

 private:
  SharedLibrary library_;
  NvmlApi api_;
};

}  // namespace

std::string pciName(unsigned domain, unsigned bus, unsigned device) {
  return fmt::format("{:08x}:{:02x}:{:02x}.0", domain, bus, device);
}

std::vector<std::string> clockLimits(unsigned long long reasons) {
  struct Reason {
    unsigned long long bit;
    const char* words;
  };
  constexpr std::array<Reason, 6> kReasons{{{0x04, "power cap"},
                                            {0x08, "hardware slowdown"},
                                            {0x10, "in step with other cards"},
                                            {0x20, "heat"},
                                            {0x40, "heat, by hardware"},
                                            {0x80, "power brake"}}};
  std::vector<std::string> words;
  for (const Reason& reason : kReasons)
    if ((reasons & reason.bit) != 0) words.emplace_back(reason.words);
  return words;
}

std::optional<ClockReading> readNvidiaClock(const std::string& pci) {
  const Nvml* nvml = pci.empty() ? nullptr : Nvml::instance();
  return nvml == nullptr ? std::nullopt : nvml->read(pci);
}

DeviceLoad readNvidiaLoad(const std::string& pci) {
  const Nvml* nvml = pci.empty() ? nullptr : Nvml::instance();
  if (nvml != nullptr) return nvml->readLoad(pci);
  DeviceLoad load;
  load.unavailable = pci.empty() ? "its driver does not report its slot"
                                 : "NVIDIA's management library, libnvidia-ml.so.1, is missing or does not start";
  return load;
}

}  // namespace sscope
