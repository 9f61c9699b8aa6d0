// Compiled kernels are kept in memory and on disk, and damaged files do no harm.

#include <cstdlib>
#include <fstream>
#include <optional>

#include "gpu/cuda/cuda_device.h"
#include "gpu/device/program_cache.h"
#include "gpu/opencl/opencl_binary.h"
#include "gpu/opencl/opencl_device.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"

namespace sscope::test {

namespace {

std::vector<std::byte> bytesOf(const std::string& text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

std::string readAll(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void writeAll(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

KernelSource markedKernel(const std::string& mark) {
  KernelSource source{"ceiling_copy", {}, Precision::f32, 1, {4, 1}, {}};
  source.define("MARK_" + mark, 1);
  return source;
}

// An empty cache folder for the length of a test.
class EmptyCache {
 public:
  EmptyCache() {
    (void)GpuBench::instance();  // PoCL keeps the folder it finds at its start, and this one will be gone
    if (const char* given = std::getenv("XDG_CACHE_HOME")) before_ = given;
    ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  }
  ~EmptyCache() {
    if (before_) {
      ::setenv("XDG_CACHE_HOME", before_->c_str(), 1);
    } else {
      ::unsetenv("XDG_CACHE_HOME");
    }
  }
  EmptyCache(const EmptyCache&) = delete;
  EmptyCache& operator=(const EmptyCache&) = delete;

 private:
  TemporaryFolder folder_;
  std::optional<std::string> before_;
};

// The first device of a kind, made anew; null where there is none.
std::unique_ptr<Device> newDevice(EngineKind kind) {
  auto devices = kind == EngineKind::Cuda ? findCudaDevices().devices : findOpenClDevices().devices;
  return devices.empty() ? nullptr : std::move(devices.front());
}

// In a test: runs it once for every kind that has a device.
EngineKind eachKind() {
  std::vector<EngineKind> kinds;
  for (const EngineKind kind : {EngineKind::OpenCl, EngineKind::Cuda})
    if (newDevice(kind)) kinds.push_back(kind);
  if (kinds.empty()) kinds.push_back(EngineKind::OpenCl);
  return GENERATE_REF(Catch::Generators::from_range(kinds));
}

const std::vector<KernelArgument> kNothing{static_cast<const DeviceBuffer*>(nullptr),
                                           static_cast<const DeviceBuffer*>(nullptr), std::int32_t{0}, std::int32_t{0}};

}  // namespace

TEST_CASE("a stored binary comes back, a damaged or foreign one does not", "[cache]") {
  const TemporaryFolder folder;
  const BinaryStore store(folder / "kernels");
  CHECK_FALSE(store.find("key"));
  store.store("key", bytesOf("binary"));
  CHECK(store.find("key") == bytesOf("binary"));
  CHECK_FALSE(store.find("other"));
  const std::string whole = readAll(store.pathOf("key"));
  for (std::size_t i = 0; i < whole.size(); ++i) {  // any single changed byte
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    writeAll(store.pathOf("key"), damaged);
    CHECK_FALSE(store.find("key"));
  }
  for (std::size_t length = 0; length < whole.size(); ++length) {  // any truncation
    writeAll(store.pathOf("key"), whole.substr(0, length));
    CHECK_FALSE(store.find("key"));
  }
  writeAll(store.pathOf("key"), whole + "x");
  CHECK_FALSE(store.find("key"));
  writeAll(store.pathOf("other"), whole);  // the right content under another key
  CHECK_FALSE(store.find("other"));
  store.store("key", bytesOf("again"));
  CHECK(store.find("key") == bytesOf("again"));
}

TEST_CASE("code is not taken from a folder into which others may write", "[cache]") {
  const test::TemporaryFolder folder;
  const BinaryStore store(folder / "kernels");
  const std::vector<std::byte> binary(100, std::byte{7});
  store.store("key", binary);
  REQUIRE(store.find("key") == binary);
  namespace fs = std::filesystem;
  fs::permissions(folder / "kernels", fs::perms::all);
  CHECK_FALSE(store.find("key"));
  store.store("other", binary);
  CHECK_FALSE(fs::exists(store.pathOf("other")));
  fs::permissions(folder / "kernels", fs::perms::owner_all);
  CHECK(store.find("key") == binary);
}

TEST_CASE("the store keeps a bounded number of files and leaves no half-written ones", "[cache]") {
  const TemporaryFolder folder;
  const BinaryStore store(folder / "kernels", 4);
  for (int i = 0; i < 12; ++i) store.store("key " + std::to_string(i), bytesOf("binary"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "kernels")) {
    CHECK(entry.path().extension() == ".bin");
    ++files;
  }
  CHECK(files <= 4);
  CHECK(store.find("key 11"));
}

TEST_CASE("a kernel is compiled once, then taken from memory, then from disk", "[cache]") {
  const EmptyCache empty;
  const EngineKind kind = eachKind();
  const auto first = newDevice(kind), second = newDevice(kind), third = newDevice(kind);
  if (!first) SSCOPE_SKIP("there is no device");
  const KernelSource source = markedKernel("disk");
  std::string key;
  {
    ProgramCache cache(*first);
    const auto compiled = ProgramCache::wait(cache.start(source, kNothing), {});
    CHECK(compiled->origin == KernelOrigin::Compiled);
    CHECK(ProgramCache::wait(cache.start(source, kNothing), {}) == compiled);
    CHECK(ProgramCache::wait(cache.start(markedKernel("another"), kNothing), {}) != compiled);
    key = cache.keyOf(kernelText(source, first->properties()));
  }  // the binary is written by then
  const auto store = kernelStore();
  REQUIRE(store);
  if (!store->find(key)) SSCOPE_SKIP("this driver does not give its binaries away");
  {
    ProgramCache cache(*second);
    CHECK(ProgramCache::wait(cache.start(source, kNothing), {})->origin == KernelOrigin::Disk);
  }
  writeAll(store->pathOf(key), readAll(store->pathOf(key)).substr(0, 100));
  {
    ProgramCache cache(*third);
    CHECK(ProgramCache::wait(cache.start(source, kNothing), {})->origin == KernelOrigin::Compiled);
  }
  CHECK(store->find(key));  // repaired
}

TEST_CASE("a kernel that does not compile is told with its name and the log", "[cache]") {
  const EmptyCache empty;
  const auto device = newDevice(eachKind());
  if (!device) SSCOPE_SKIP("there is no device");
  ProgramCache cache(*device);
  KernelSource source = markedKernel("broken");
  source.text = "KERNEL void ceiling_copy(GLOBAL f32* x) { x[0] = undeclared; }\n";
  try {
    (void)ProgramCache::wait(cache.start(source, kNothing), {});
    FAIL("it compiled");
  } catch (const Error& error) {
    INFO(error.what());
    CHECK(error.kind() == ErrorKind::Device);
    CHECK(std::string(error.what()).find("ceiling_copy") != std::string::npos);
    CHECK(std::string(error.what()).find("error") != std::string::npos);
  }
}

TEST_CASE("waiting for a build can be stopped, and the build is used later", "[cache]") {
  const EmptyCache empty;
  const auto device = newDevice(eachKind());
  if (!device) SSCOPE_SKIP("there is no device");
  ProgramCache cache(*device);
  std::stop_source source;
  source.request_stop();
  Control stopped;
  stopped.stop = source.get_token();
  const auto pending = cache.start(markedKernel("stopped"), kNothing);
  try {
    (void)ProgramCache::wait(pending, stopped);  // may also be ready already
  } catch (const Canceled&) {
    SUCCEED("canceled");
  }
  CHECK(ProgramCache::wait(pending, {})->kernel != nullptr);
}

}  // namespace sscope::test

TEST_CASE("A kept OpenCL program knows its registers", "[cache]") {
  const std::vector<std::byte> driver{std::byte{1}, std::byte{2}, std::byte{3}};
  const std::vector<std::byte> bytes = sscope::packed({40, driver});
  const auto binary = sscope::unpacked(bytes);
  REQUIRE(binary);
  CHECK(binary->registers == 40);
  CHECK(std::vector(binary->driver.begin(), binary->driver.end()) == driver);
  CHECK_FALSE(sscope::unpacked(driver));
  CHECK_FALSE(sscope::unpacked(std::span(bytes).first(8)));
  CHECK(sscope::reportedRegisters("ptxas info : Used 96 registers, 400 bytes cmem[0]") == 96);
  CHECK(sscope::reportedRegisters("") == 0);
  CHECK(sscope::reportedRegisters("Used nothing") == 0);
}
