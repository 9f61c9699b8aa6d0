#include "core/volume/volume_pool.h"

#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/memory.h"

namespace sscope {

namespace {

constexpr std::int64_t kMostKept = std::int64_t{1} << 30;
constexpr std::int64_t kSmall = 1 << 20;  // slices, for which asking the system takes longer than filling them

}  // namespace

struct VolumePool::Shelf {
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  using Block = std::unique_ptr<std::byte, Free>;

  std::mutex mutex;
  std::int64_t bytes = 0;  // of each block
  std::size_t most = 0;
  std::vector<Block> blocks;

  // A block of the size that is kept from now on, null where there is none.
  Block take(std::int64_t wanted, std::size_t alike) {
    const std::lock_guard lock(mutex);
    most = alike;
    blocks.reserve(most);  // give() must not fail
    if (wanted != std::exchange(bytes, wanted)) blocks.clear();
    if (blocks.size() > most) blocks.resize(most);
    if (blocks.empty()) return {};
    Block block = std::move(blocks.back());
    blocks.pop_back();
    return block;
  }
  void give(Block block, std::int64_t size) {
    const std::int64_t left = size <= kSmall ? 0 : availableMemory();
    const std::lock_guard lock(mutex);
    const auto kept = size * static_cast<std::int64_t>(blocks.size() + 1);
    if (size == bytes && blocks.size() < most && kept <= kMostKept && (left == 0 || kept <= left / 8))
      blocks.push_back(std::move(block));
  }
};

VolumePool::VolumePool() : shelf_(std::make_shared<Shelf>()) {}

Volume VolumePool::make(const VolumeShape& shape, ElementType type, const Geometry& geometry, std::size_t alike) {
  const std::int64_t bytes = shape.elements() * static_cast<std::int64_t>(bytesOf(type));
  Shelf::Block block = shelf_->take(bytes, alike);
  if (!block) block.reset(static_cast<std::byte*>(allocateAligned(static_cast<std::size_t>(bytes))));
  if (!block) return {shape, type, geometry};  // says what is wrong
  const auto giveBack = [shelf = std::weak_ptr(shelf_), bytes](std::byte* memory) {
    Shelf::Block back(memory);
    if (const auto open = shelf.lock()) open->give(std::move(back), bytes);
  };
  return {shape, type, geometry, std::shared_ptr<std::byte>(block.release(), giveBack)};
}

std::int64_t VolumePool::kept() const {
  const std::lock_guard lock(shelf_->mutex);
  return shelf_->bytes * static_cast<std::int64_t>(shelf_->blocks.size());
}

void VolumePool::release() {
  const std::lock_guard lock(shelf_->mutex);
  shelf_->blocks.clear();
  shelf_->bytes = 0;
}

}  // namespace sscope
