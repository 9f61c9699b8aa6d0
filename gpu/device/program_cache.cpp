#include "gpu/device/program_cache.h"

#include <algorithm>
#include <chrono>

#include "core/base/stopwatch.h"
#include "gpu/device/binary_store.h"
#include "gpu/device/wait.h"

namespace sscope {

namespace {
constexpr std::size_t kKeptKernels = 256;
constexpr std::size_t kKeptPrograms = 64;
}  // namespace

// Only now are binaries asked for: with PoCL 3.1 that takes as long as compiling did, and it aborts when a kernel runs
// at the same time. The newest first, and no longer than a user likes to wait for an end.
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
      kernels_.erase(text);  // another try compiles again
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
