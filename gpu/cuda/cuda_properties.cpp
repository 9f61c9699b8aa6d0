#include "gpu/cuda/cuda_properties.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "gpu/cuda/nvml.h"

namespace sscope::cuda {

namespace {

// The first word like 580.65.06 in what NVIDIA's kernel module says about itself.
std::string moduleVersion() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line, word;
  std::getline(file, line);
  std::istringstream words(line);
  while (words >> word)
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  return {};
}

}  // namespace

DeviceProperties propertiesOf(const Driver& driver, Ordinal ordinal) {
  const DriverApi& api = driver.api();
  char name[256] = "";
  driver.check("cuda:" + std::to_string(ordinal), "report its name", api.deviceName(name, sizeof name, ordinal));
  DeviceProperties p;
  p.name = name;
  p.vendor = "NVIDIA Corporation";
  p.language = KernelLanguage::CudaCpp;
  const auto number = [&](DeviceAttribute attribute) {
    int value = 0;
    // Drivers older than an attribute refuse it as an invalid value.
    const Result result = api.deviceAttribute(&value, attribute, ordinal);
    if (result != kInvalidValue) driver.check(p.name, "describe itself", result);
    return result == kSuccess ? value : 0;
  };
  std::size_t bytes = 0;
  driver.check(p.name, "report its memory", api.deviceMemory(&bytes, ordinal));
  p.memoryBytes = p.largestAllocation = static_cast<std::int64_t>(bytes);
  p.computeUnits = number(DeviceAttribute::MultiprocessorCount);
  p.constantBytes = number(DeviceAttribute::TotalConstantMemory);
  p.localBytes = number(DeviceAttribute::MaxSharedMemoryPerBlock);
  p.largestGroup = number(DeviceAttribute::MaxThreadsPerBlock);
  p.largestImage =
      std::min(number(DeviceAttribute::MaximumTexture2dWidth), number(DeviceAttribute::MaximumTexture2dHeight));
  p.lockstep = number(DeviceAttribute::WarpSize);
  p.groupRegisters = number(DeviceAttribute::MaxRegistersPerBlock);
  p.unitRegisters = number(DeviceAttribute::MaxRegistersPerMultiprocessor);
  p.unitLocalBytes = number(DeviceAttribute::MaxSharedMemoryPerMultiprocessor);
  p.largestDynamicLocal = std::max<std::int64_t>(number(DeviceAttribute::MaxSharedMemoryPerBlockOptin), p.localBytes);
  p.unitItems = number(DeviceAttribute::MaxThreadsPerMultiprocessor);
  p.unitGroups = number(DeviceAttribute::MaxBlocksPerMultiprocessor);
  p.lastCacheBytes = number(DeviceAttribute::L2CacheSize);
  p.capabilityMajor = number(DeviceAttribute::ComputeCapabilityMajor);
  p.capabilityMinor = number(DeviceAttribute::ComputeCapabilityMinor);
  p.clockKhz = number(DeviceAttribute::ClockRate);
  const auto place = [&](DeviceAttribute attribute) { return static_cast<unsigned>(number(attribute)); };
  p.pci = pciName(place(DeviceAttribute::PciDomainId), place(DeviceAttribute::PciBusId),
                  place(DeviceAttribute::PciDeviceId));
  return p;
}

std::string driverName(const Driver& driver) {
  const int version = driver.cudaVersion();
  std::string text = "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  if (const std::string module = moduleVersion(); !module.empty()) text += ", driver " + module;
  return text;
}

}  // namespace sscope::cuda
