#pragma once
// The CUDA sources that plans would have compiled, and NVRTC's opinion of them. No device is needed: a stand-in
// collects the sources and does nothing else.

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "gpu/cuda/nvrtc_compiler.h"
#include "gpu/device/device.h"
#include "gpu/run/device_engine.h"
#include "tests/support/catch.h"

// In a test: `nvrtc`, which is installed, or the test ends.
#define SSCOPE_FIND_NVRTC(nvrtc)                \
  const auto nvrtc = sscope::test::findNvrtc(); \
  if (!(nvrtc)) SSCOPE_SKIP("libnvrtc not found")
// In a test: also `sources`, and an `engine` whose device of CUDA they come from.
#define SSCOPE_CUDA_SOURCES(nvrtc, sources, engine) \
  SSCOPE_FIND_NVRTC(nvrtc);                         \
  sscope::test::CudaSources sources;                \
  sscope::DeviceEngine engine("cuda:0", sscope::EngineKind::Cuda, (sources).device())

namespace sscope::test {

// Null where NVRTC is not installed.
[[nodiscard]] std::unique_ptr<NvrtcCompiler> findNvrtc();

class CudaSources {
 public:
  // A device of this capability, whose sources come here. From 8 on there are asynchronous copies.
  [[nodiscard]] std::unique_ptr<Device> device(int capability = 8);
  void add(const std::string& name, const std::string& source);
  // How often something was to be compiled.
  [[nodiscard]] int asked() const { return asked_; }

  // In a test: the sources compile without a warning for devices of capability 8.0 and 9.0. Of each kernel one
  // source is compiled, for one of them, drawn by the seed; all for both with SSCOPE_TEST_ALL=1. What an earlier test
  // of this process compiled is not compiled again.
  void requireCompile(const NvrtcCompiler& nvrtc) const;

 private:
  std::mutex mutex_;
  int asked_ = 0;
  std::map<std::string, std::map<std::uint64_t, std::string>> sources_;  // by name and hash
};

}  // namespace sscope::test
