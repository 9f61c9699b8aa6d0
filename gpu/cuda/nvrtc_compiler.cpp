#include "gpu/cuda/nvrtc_compiler.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/base/error.h"
#include "gpu/device/device.h"

namespace sscope {

namespace {

namespace fs = std::filesystem;

constexpr int kNewestMajor = 13, kOldestMajor = 11;

// Sonames; NVIDIA kept that of 11.2 for all of CUDA 11.
std::string sonameOf(int major) { return "libnvrtc.so." + (major == 11 ? std::string("11.2") : std::to_string(major)); }

// A driver loads code of its own CUDA version and older ones, so these come first.
std::vector<std::string> sonames(int driverMajor) {
  std::vector<std::string> names;
  for (int major = driverMajor; major >= kOldestMajor; --major) names.push_back(sonameOf(major));
  names.emplace_back("libnvrtc.so");
  for (int major = std::max(driverMajor + 1, kOldestMajor); major <= kNewestMajor; ++major)
    names.push_back(sonameOf(major));
  return names;
}

std::vector<std::string> toolkitFolders() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* given = std::getenv(variable)) folders.emplace_back(given);
  std::error_code code;
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator("/usr/local", code))
    if (entry.path().filename().string().starts_with("cuda")) found.push_back(entry.path().string());
  std::sort(found.rbegin(), found.rend());
  folders.insert(folders.end(), found.begin(), found.end());
  return folders;
}

SharedLibrary openNvrtc(int driverVersion) {
  std::vector<std::string> names;
  if (const char* given = std::getenv("SSCOPE_NVRTC"); given != nullptr && *given != '\0') names.emplace_back(given);
  const std::vector<std::string> plain = sonames(driverVersion / 1000);
  names.insert(names.end(), plain.begin(), plain.end());
  for (const std::string& folder : toolkitFolders())
    for (const char* below : {"/lib64/", "/lib/"})
      for (const std::string& name : plain) names.push_back(folder + below + name);
  try {
    return SharedLibrary(names);
  } catch (const Error& error) {
    throw Error(ErrorKind::NotFound, std::string("libnvrtc not found: ") + error.what(),
                "install NVRTC of the CUDA toolkit, or set SSCOPE_NVRTC to its path");
  }
}

// Destroys a program at the end.
struct Program {
  explicit Program(const nvrtc::Api& a) : api(a) {}
  ~Program() {
    if (handle != nullptr) api.destroy(&handle);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  const nvrtc::Api& api;
  nvrtc::Program handle = nullptr;
};

}  // namespace

NvrtcCompiler::NvrtcCompiler(int driverVersion) : library_(openNvrtc(driverVersion)), api_(library_) {
  int major = 0, minor = 0, count = 0;
  bool good = api_.version(&major, &minor) == nvrtc::kSuccess && api_.architectureCount(&count) == nvrtc::kSuccess;
  architectures_.resize(static_cast<std::size_t>(std::max(count, 0)));
  good = good && api_.architectures(architectures_.data()) == nvrtc::kSuccess;
  if (!good) throw Error(ErrorKind::Device, library() + " does not start", "install it again");
  std::sort(architectures_.begin(), architectures_.end());
  version_ = std::to_string(major) + "." + std::to_string(minor);
}

std::string NvrtcCompiler::architectureFor(int capability) const {
  const auto newer = std::upper_bound(architectures_.begin(), architectures_.end(), capability);
  if (newer == architectures_.begin())
    throw Error(ErrorKind::Unsupported,
                "NVRTC " + version_ + " has no compiler for devices of compute capability " +
                    std::to_string(capability / 10) + "." + std::to_string(capability % 10),
                "install NVRTC of an older CUDA toolkit and set SSCOPE_NVRTC to its path");
  const int best = *std::prev(newer);
  return (best == capability ? "sm_" : "compute_") + std::to_string(best);
}

std::vector<std::byte> NvrtcCompiler::compile(const std::string& name, const std::string& source,
                                              const std::string& architecture, std::string* log) const {
  const auto text = [&](const auto& sizeOf, const auto& get, const Program& program) {
    std::size_t size = 0;
    std::string result;
    if (sizeOf(program.handle, &size) != nvrtc::kSuccess || size == 0) return result;
    result.resize(size);
    if (get(program.handle, result.data()) != nvrtc::kSuccess) result.clear();
    return result;
  };
  Program program(api_);
  nvrtc::Result result = api_.create(&program.handle, source.c_str(), (name + ".cu").c_str(), 0, nullptr, nullptr);
  std::string said;
  if (result == nvrtc::kSuccess) {
    const std::string target = "--gpu-architecture=" + architecture;
    // As in the OpenCL prelude: only FMA is a fused multiply-add, nothing else is contracted.
    const char* options[] = {target.c_str(), "--std=c++17", "--fmad=false"};
    result = api_.compile(program.handle, 3, options);
    said = text(api_.logSize, api_.log, program);
    while (!said.empty() && said.back() == '\0') said.pop_back();
  }
  if (log != nullptr) *log = said;
  std::string code;
  if (result == nvrtc::kSuccess)
    code = architecture.starts_with("sm_") ? text(api_.cubinSize, api_.cubin, program)
                                           : text(api_.ptxSize, api_.ptx, program);
  if (code.empty())
    throw Error(ErrorKind::Device,
                "the kernel " + name + " does not compile for " + architecture + " (" + api_.errorText(result) +
                    "): " + firstLines(said, 4),
                "choose another variant or engine");
  const auto* bytes = reinterpret_cast<const std::byte*>(code.data());
  return {bytes, bytes + code.size()};
}

}  // namespace sscope
