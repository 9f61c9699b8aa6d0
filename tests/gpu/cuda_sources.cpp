#include "tests/gpu/cuda_sources.h"

#include <array>
#include <set>
#include <utility>
#include <vector>

#include "core/base/encoding.h"
#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

struct NoBuffer : DeviceBuffer {
  explicit NoBuffer(std::int64_t n) : size(n) {}
  [[nodiscard]] std::int64_t bytes() const override { return size; }
  std::int64_t size;
};
struct NoEvent : DeviceEvent {
  bool done() override { return true; }
  double seconds() override { return 0; }
  double startsAfter(DeviceEvent&) override { return 0; }
};
struct NoKernel : DeviceKernel {
  [[nodiscard]] KernelAttributes attributes() const override { return {}; }
};
struct NoProgram : DeviceProgram {
  std::unique_ptr<DeviceKernel> kernel(const std::string&) override { return std::make_unique<NoKernel>(); }
  std::vector<std::byte> binary() override { return {}; }
};

class CollectingDevice : public Device {
 public:
  CollectingDevice(CudaSources& sources, int capability) : sources_(sources) {
    properties_.name = "NVRTC";
    properties_.language = KernelLanguage::CudaCpp;
    properties_.memoryBytes = properties_.largestAllocation = std::int64_t{1} << 34;
    properties_.constantBytes = 65536;
    properties_.largestGroup = 1024;
    properties_.localBytes = 49152;
    properties_.largestImage = 16384;
    properties_.lastCacheBytes = 50 << 20;
    properties_.capabilityMajor = capability;
    properties_.concurrent = false;  // everything is here when a plan is
  }
  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }
  std::unique_ptr<DeviceBuffer> allocate(std::int64_t bytes) override { return std::make_unique<NoBuffer>(bytes); }
  std::unique_ptr<DeviceImage> allocateImage(ElementType, std::int64_t, std::int64_t) override { return nullptr; }
  std::unique_ptr<PinnedMemory> allocatePinned(std::int64_t) override { return nullptr; }
  std::unique_ptr<DeviceProgram> compile(const std::string& name, const std::string& source) override {
    sources_.add(name, source);
    return std::make_unique<NoProgram>();
  }
  std::unique_ptr<DeviceProgram> load(std::span<const std::byte>) override { return nullptr; }
  std::unique_ptr<DeviceEvent> write(const DeviceBuffer&, std::int64_t, std::span<const std::byte>, Queue) override {
    return std::make_unique<NoEvent>();
  }
  std::unique_ptr<DeviceEvent> read(const DeviceBuffer&, std::int64_t, std::span<std::byte>, Queue) override {
    return std::make_unique<NoEvent>();
  }
  std::unique_ptr<DeviceEvent> write(const DeviceImage&, std::span<const std::byte>) override {
    return std::make_unique<NoEvent>();
  }
  std::unique_ptr<DeviceEvent> launch(DeviceKernel&, const LaunchShape&, std::span<const KernelArgument>) override {
    return std::make_unique<NoEvent>();
  }

 private:
  CudaSources& sources_;
  DeviceProperties properties_;
};

// Code for a device of this capability, as the engine would have it made; throws for warnings too.
void compileFor(const NvrtcCompiler& nvrtc, const std::string& name, const std::string& source, int capability) {
  std::string log;
  const auto code = nvrtc.compile(name, source, nvrtc.architectureFor(capability), &log);
  if (log.find("warning") != std::string::npos) throw Error(ErrorKind::Device, name + ": " + log);
  const std::string_view text(reinterpret_cast<const char*>(code.data()), code.size());
  if (!text.starts_with("\x7f"
                        "ELF") ||
      text.find(".text." + name) == std::string_view::npos)
    throw Error(ErrorKind::Device, name + " has no machine code of that name");
}

// What tells a source from others of its kernel.
std::string definitionsOf(const std::string& source) {
  std::string lines;
  for (std::size_t at = source.find("#define "); at != std::string::npos && lines.size() < 2000;
       at = source.find("#define ", at + 1))
    lines += source.substr(at, source.find('\n', at) + 1 - at);
  return lines;
}

// What this process compiled without a complaint: a source and a capability.
std::set<std::pair<std::uint64_t, int>>& compiledBefore() {
  static std::set<std::pair<std::uint64_t, int>> done;
  return done;
}

}  // namespace

std::unique_ptr<NvrtcCompiler> findNvrtc() {
  try {
    return std::make_unique<NvrtcCompiler>();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::NotFound);
    CHECK(std::string(error.what()).find("SSCOPE_NVRTC") != std::string::npos);
    return nullptr;
  }
}

std::unique_ptr<Device> CudaSources::device(int capability) {
  return std::make_unique<CollectingDevice>(*this, capability);
}

void CudaSources::add(const std::string& name, const std::string& source) {
  const std::lock_guard lock(mutex_);
  ++asked_;
  sources_[name][hashOf(source)] = source;
}

void CudaSources::requireCompile(const NvrtcCompiler& nvrtc) const {
  REQUIRE_FALSE(sources_.empty());
  INFO(Sampling::howToRepeat());
  std::size_t turn = 0;
  for (const auto& [name, byHash] : sources_) {
    for (const auto& [hash, source] : sampled(byHash, turn))
      for (const int capability : sampled(std::array{80, 90}, firstTurn() + turn)) {
        if (compiledBefore().contains({hash, capability})) continue;
        INFO(name << " for " << capability << '\n' << definitionsOf(source));
        CHECK_NOTHROW(compileFor(nvrtc, name, source, capability));
        compiledBefore().insert({hash, capability});
      }
    ++turn;
  }
}

}  // namespace sscope::test
