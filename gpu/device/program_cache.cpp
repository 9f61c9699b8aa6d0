#include "gpu/device/program_cache.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/base/encoding.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/stopwatch.h"
#include "gpu/device/device.h"

namespace sscope {

namespace fs = std::filesystem;

namespace {

constexpr char kMagic[8] = {'S', 'S', 'C', 'K', 'R', 'N', '0', '1'};

struct Header {
  char magic[8];
  std::uint64_t key[2];
  std::uint64_t size;
  std::uint64_t checksum;
};

Header headerOf(const std::string& key, std::span<const std::byte> binary) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.key[0] = hashOf(key);
  header.key[1] = hashOf(key, 1);
  header.size = binary.size();
  header.checksum = hashOf(binary);
  return header;
}

}  // namespace

BinaryStore::BinaryStore(fs::path folder, std::size_t limit) : folder_(std::move(folder)), limit_(limit) {}

fs::path BinaryStore::pathOf(const std::string& key) const { return folder_ / (hashName(key) + ".bin"); }

std::optional<std::vector<std::byte>> BinaryStore::find(const std::string& key) const {
  if (!isPrivateFolder(folder_)) return std::nullopt;  // may hold foreign code
  std::ifstream file(pathOf(key), std::ios::binary);
  Header header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  std::error_code code;
  const auto length = fs::file_size(pathOf(key), code);
  if (code || length != sizeof header + header.size) return std::nullopt;
  std::vector<std::byte> binary(static_cast<std::size_t>(header.size));
  if (!file.read(reinterpret_cast<char*>(binary.data()), static_cast<std::streamsize>(binary.size())))
    return std::nullopt;
  const Header expected = headerOf(key, binary);
  if (std::memcmp(&header, &expected, sizeof header) != 0) return std::nullopt;
  return binary;
}

void BinaryStore::store(const std::string& key, std::span<const std::byte> binary) const {
  if (binary.empty()) return;
  try {
    makePrivateFolder(folder_);
    dropOldest();
    const Header header = headerOf(key, binary);
    std::string all(reinterpret_cast<const char*>(&header), sizeof header);
    all.append(reinterpret_cast<const char*>(binary.data()), binary.size());
    writeTextFile(pathOf(key), all);
  } catch (const std::exception&) {
    // On a full or read-only disk the next start compiles again.
    return;
  }
}

void BinaryStore::dropOldest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code code;
  // Other processes may remove files here meanwhile; missing files are ignored.
  for (auto entry = fs::directory_iterator(folder_, code); !code && entry != fs::directory_iterator();
       entry.increment(code)) {
    std::error_code gone;
    if (const auto time = entry->last_write_time(gone); !gone) files.emplace_back(time, entry->path());
  }
  if (files.size() < limit_) return;
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i <= files.size() - limit_; ++i) fs::remove(files[i].second, code);
}

std::optional<BinaryStore> kernelStore() {
  try {
    const fs::path folder = cacheDirectory() / "kernels";
    makePrivateFolder(folder);
    return BinaryStore(folder);
  } catch (const Error&) {
    return std::nullopt;
  }
}

namespace {
constexpr std::size_t kKeptKernels = 256;
constexpr std::size_t kKeptPrograms = 64;
}  // namespace

// Binaries are requested only here: with PoCL 3.1 that takes as long as compiling, and PoCL aborts if a kernel runs at
// the same time. The newest first, for a limited time, because a user waits for the program to end.
ProgramCache::~ProgramCache() {
  constexpr double kPatience = 2;
  for (std::future<void>& builder : builders_) builder.wait();
  const auto store = kernelStore();
  const Stopwatch watch;
  for (auto it = unstored_.rbegin(); store && it != unstored_.rend() && watch.seconds() < kPatience; ++it)
    store->store(keyOf(it->first), it->second->binary());
}

std::string ProgramCache::keyOf(const std::string& text) const {
  const DeviceProperties& p = device_.properties();
  return std::string(SSCOPE_VERSION) + '\n' + p.name + '\n' + p.driver + '\n' + text;
}

ProgramCache::Pending ProgramCache::start(const KernelSource& source, const std::vector<KernelArgument>& idle,
                                          std::shared_ptr<const void> kept) {
  const std::string text = kernelText(source, device_.properties());
  std::unique_lock lock(mutex_);
  if (const auto found = kernels_.find(text); found != kernels_.end()) return found->second;
  forgetOldest();
  auto promise = std::make_shared<std::promise<std::shared_ptr<CompiledKernel>>>();
  Pending pending = promise->get_future().share();
  kernels_.emplace(text, pending);
  order_.push_back(text);
  std::erase_if(builders_,
                [](const auto& b) { return b.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  const auto work = [this, source, text, idle, promise, kept = std::move(kept)] {
    std::unique_ptr<DeviceProgram> compiled;
    try {
      promise->set_value(build(source, text, idle, compiled));
    } catch (...) {
      promise->set_exception(std::current_exception());
      const std::lock_guard again(mutex_);
      kernels_.erase(text);  // the next request compiles again
      std::erase(order_, text);
    }
    if (!compiled) return;
    const std::lock_guard again(mutex_);
    if (unstored_.size() == kKeptPrograms) unstored_.erase(unstored_.begin());
    unstored_.emplace_back(text, std::move(compiled));
  };
  if (device_.properties().concurrent) {
    builders_.push_back(std::async(std::launch::async, work));
  } else {
    lock.unlock();
    work();
  }
  return pending;
}

std::shared_ptr<CompiledKernel> ProgramCache::build(const KernelSource& source, const std::string& text,
                                                    const std::vector<KernelArgument>& idle,
                                                    std::unique_ptr<DeviceProgram>& compiled) {
  auto result = std::make_shared<CompiledKernel>();
  const auto store = kernelStore();
  if (const auto binary = store ? store->find(keyOf(text)) : std::nullopt) {
    if (const auto program = device_.load(*binary)) {
      result->kernel = program->kernel(source.entry);
      result->origin = KernelOrigin::Disk;
    }
  }
  if (!result->kernel) {
    auto program = device_.compile(source.entry, text);
    result->kernel = program->kernel(source.entry);
    compiled = std::move(program);
  }
  const auto event = device_.launch(*result->kernel, {{}, source.group, source.localBytes}, idle);
  waitFor(*event, Control{});
  return result;
}

std::shared_ptr<CompiledKernel> ProgramCache::wait(const Pending& pending, const Control& control) {
  while (pending.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) control.check();
  return pending.get();
}

void ProgramCache::forgetOldest() {
  while (order_.size() >= kKeptKernels) {
    kernels_.erase(order_.front());
    order_.erase(order_.begin());
  }
}

}  // namespace sscope
