#include "gpu/run/result_store.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "gpu/run/device_engine.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

// Requests for alternating sizes should not allocate memory each time.
std::int64_t roomFor(std::int64_t bytes) {
  constexpr std::int64_t kLeastRoom = 64 << 10;
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max(kLeastRoom, bytes))));
}

bool serves(std::int64_t held, std::int64_t asked) { return held >= asked && held <= asked + asked / 4 + (1 << 20); }

}  // namespace

ResultStore::ResultStore(DeviceEngine& engine) : engine_(&engine) {}

void ResultStore::close() {
  engine_ = nullptr;
  for (const auto& claim : claims_) {
    claim->buffer.reset();
    claim->bytes = 0;
  }
  claims_.clear();
  idle_.clear();
  kernels_.clear();
  gathered_.reset();
  pinned_.reset();
  bytes_ = 0;
}

void ResultStore::count() {
  std::int64_t sum = 0;
  for (const auto& claim : claims_) sum += claim->bytes;
  for (const Buffer& buffer : idle_) sum += buffer->bytes();
  bytes_ = sum;
}

void ResultStore::collectDropped() {
  std::erase_if(claims_, [&](const std::shared_ptr<ResultClaim>& claim) {
    if (!claim->dropped) return false;
    if (claim->buffer) idle_.push_back(std::move(claim->buffer));
    return true;
  });
  count();
}

ResultStore::Buffer ResultStore::takeIdle(std::int64_t bytes) {
  const auto found =
      std::ranges::find_if(idle_, [bytes](const Buffer& buffer) { return serves(buffer->bytes(), bytes); });
  if (found == idle_.end()) return {};
  Buffer taken = std::move(*found);
  idle_.erase(found);
  return taken;
}

ResultStore::Buffer ResultStore::allocate(std::int64_t bytes, const Control& control) {
  while (true) {
    try {
      return engine_.load()->device().allocate(bytes);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Memory || !giveOne(control)) throw;
    }
  }
}

std::vector<std::shared_ptr<ResultClaim>> ResultStore::acquire(std::span<const ArraySpec> specs, std::int64_t most,
                                                               const Control& control) {
  collectDropped();
  std::vector<Buffer> buffers;
  std::int64_t all = 0;
  for (const ArraySpec& spec : specs) {
    buffers.push_back(takeIdle(spec.bytes() + kSlackBytes));
    all += buffers.back() ? buffers.back()->bytes() : spec.bytes() + kSlackBytes;
  }
  idle_.clear();  // buffers of other sizes, or too many
  count();
  if (all > most)
    throw Error(ErrorKind::Memory, "the results take " + std::to_string(all >> 20) + " MiB on " +
                                       engine_.load()->info().id + ", and " + std::to_string(most >> 20) +
                                       " MiB may be used");
  shrink(most - all, control);
  std::vector<std::shared_ptr<ResultClaim>> claims;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    auto claim = std::make_shared<ResultClaim>();
    claim->spec = specs[i];
    claim->engine = engine_.load()->info().id;
    claim->buffer = buffers[i] ? std::move(buffers[i]) : allocate(specs[i].bytes() + kSlackBytes, control);
    claim->bytes = claim->buffer->bytes();
    noteAsked(*claim);
    claims.push_back(std::move(claim));
  }
  claims_.insert(claims_.end(), claims.begin(), claims.end());
  count();
  return claims;
}

void ResultStore::giveBack() {
  collectDropped();
  idle_.clear();
  gathered_.reset();
  pinned_.reset();
  landed_ = {};
  hostMemory_.release();
  count();
}

void ResultStore::shrink(std::int64_t most, const Control& control) {
  if (bytes_ <= most) return;
  collectDropped();
  while (bytes_ > most)
    if (!giveOne(control)) return;
}

void ResultStore::forEachUnused(const std::function<void(const DeviceBuffer&)>& visit) {
  collectDropped();
  for (const Buffer& buffer : idle_) visit(*buffer);
  if (gathered_) visit(*gathered_);
}

bool ResultStore::giveOne(const Control& control) {
  if (!idle_.empty()) {
    idle_.erase(idle_.begin());
    count();
    return true;
  }
  ResultClaim* oldest = nullptr;
  for (const auto& claim : claims_)
    if (claim->buffer && (oldest == nullptr || claim->asked < oldest->asked)) oldest = claim.get();
  if (oldest == nullptr) return false;
  moveToHost(*oldest, control);
  count();
  return true;
}

void ResultStore::moveToHost(ResultClaim& claim, const Control& control) {
  const std::lock_guard lock(claim.mutex);
  try {
    if (!claim.copy && !claim.dropped) {
      requireMemory(claim.spec.bytes());
      const auto [nx, ny, nz, nc] = claim.spec.extent;
      auto copy = std::make_shared<Volume>(VolumeShape{nx, ny, nz, static_cast<int>(nc)}, claim.spec.type);
      engine_.load()->transfer().downloadSlices(*claim.buffer, copy->view(), 0, nz, control);
      claim.copy = std::move(copy);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Memory) throw;  // otherwise the result is lost
  }
  claim.buffer.reset();
  claim.bytes = 0;
}

DeviceKernel& ResultStore::kernel(const std::string& name, const std::function<KernelSource()>& source,
                                  const std::vector<KernelArgument>& idle, const Control& control) {
  auto found = kernels_.find(name);
  if (found == kernels_.end()) {
    auto built = ProgramCache::wait(engine_.load()->programs().start(source(), idle), control);
    found = kernels_.emplace(name, std::move(built)).first;
  }
  return *found->second->kernel;
}

const DeviceBuffer& ResultStore::gathered(std::int64_t bytes) {
  if (!gathered_ || gathered_->bytes() < bytes) {
    gathered_.reset();
    gathered_ = engine_.load()->device().allocate(roomFor(bytes));
  }
  return *gathered_;
}

std::span<std::byte> ResultStore::landed(std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  if (pinned_ && pinned_->bytes().size() >= size) return pinned_->bytes().first(size);
  if (landed_.size() < size) {
    pinned_.reset();
    pinned_ = engine_.load()->device().allocatePinned(roomFor(bytes));
    if (pinned_) return pinned_->bytes().first(size);
    landed_.resize(static_cast<std::size_t>(roomFor(bytes)));
  }
  return std::span(landed_).first(size);
}

}  // namespace sscope
