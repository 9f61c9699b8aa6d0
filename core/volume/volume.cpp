#include "core/volume/volume.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/base/memory.h"

namespace sscope {

namespace {

std::int64_t checkedBytes(const VolumeShape& shape, ElementType type) {
  const std::int64_t extents[] = {shape.nx, shape.ny, shape.nz, shape.components};
  std::int64_t bytes = static_cast<std::int64_t>(bytesOf(type));
  for (const std::int64_t extent : extents) {
    if (extent < 1)
      throw Error(ErrorKind::Usage, "a volume of " + shape.text() + " has no voxels", "give extents of at least 1");
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      throw Error(ErrorKind::Memory, "a volume of " + shape.text() + " is larger than any memory",
                  "choose smaller extents");
  }
  return bytes;
}

}  // namespace

std::string VolumeShape::text() const {
  std::string text = std::to_string(nx) + "x" + std::to_string(ny);
  if (nz != 1) text += "x" + std::to_string(nz);
  if (components != 1) text += ", " + std::to_string(components) + " components";
  return text;
}

Volume::Volume(const VolumeShape& shape, ElementType type, Geometry geometry)
    : shape_(shape), type_(type), geometry_(std::move(geometry)) {
  const std::int64_t bytes = checkedBytes(shape, type);
  auto* memory = static_cast<std::byte*>(allocateAligned(static_cast<std::size_t>(bytes)));
  if (memory == nullptr)
    throw Error(ErrorKind::Memory,
                "a volume of " + shape.text() + " " + std::string(toString(type)) + " needs " +
                    std::to_string(bytes >> 20) + " MiB, which is not available",
                "close other data or choose a smaller volume");
  data_ = std::shared_ptr<std::byte>(memory, [](std::byte* p) { std::free(p); });
}

Volume::Volume(const VolumeShape& shape, ElementType type, Geometry geometry, std::shared_ptr<std::byte> owner)
    : shape_(shape), type_(type), geometry_(std::move(geometry)), data_(std::move(owner)) {
  static_cast<void>(checkedBytes(shape, type));
}

Volume Volume::clone() const {
  if (empty()) return {};
  Volume copy(shape_, type_, geometry_);
  std::memcpy(copy.data(), data(), static_cast<std::size_t>(bytes()));
  return copy;
}

void Volume::requireType(ElementType type) const {
  if (type != type_)
    throw Error(ErrorKind::Usage,
                "the volume holds " + std::string(toString(type_)) + ", not " + std::string(toString(type)));
}

ArraySpec Volume::spec() const { return {type_, {shape_.nx, shape_.ny, shape_.nz, shape_.components}}; }
ArrayView Volume::view() { return denseView(spec(), data()); }
ConstArrayView Volume::view() const { return denseView(spec(), data()); }

double Volume::value(std::int64_t x, std::int64_t y, std::int64_t z, int component) const {
  const std::int64_t at = view().offset(x, y, z, component);
  return dispatch(type_,
                  [&](auto tag) { return static_cast<double>(reinterpret_cast<const decltype(tag)*>(data())[at]); });
}

namespace {
template <class Byte>
BasicArrayView<Byte> makeDense(const ArraySpec& spec, Byte* data) {
  const auto [nx, ny, nz, nc] = spec.extent;
  static_cast<void>(nz);
  return {spec.type, data, spec.extent, {nc, nc * nx, nc * nx * ny, 1}};
}
}  // namespace

ArrayView denseView(const ArraySpec& spec, std::byte* data) { return makeDense(spec, data); }
ConstArrayView denseView(const ArraySpec& spec, const std::byte* data) { return makeDense(spec, data); }

VolumeStatistics statistics(const Volume& volume, const Control& control) {
  VolumeStatistics result;
  result.minimum = std::numeric_limits<double>::infinity();
  result.maximum = -std::numeric_limits<double>::infinity();
  dispatch(volume.type(), [&](auto tag) {
    using T = decltype(tag);
    const auto all = volume.elements<T>();
    double sum = 0;
    std::int64_t counted = 0;
    constexpr std::size_t kChunk = std::size_t{1} << 20;
    for (std::size_t start = 0; start < all.size(); start += kChunk) {
      control.check();
      control.report(static_cast<double>(start) / static_cast<double>(all.size()), "statistics");
      double chunkSum = 0;
      for (const T element : all.subspan(start, std::min(kChunk, all.size() - start))) {
        const auto value = static_cast<double>(element);
        if (!std::isfinite(value)) {
          ++result.nonFinite;
          continue;
        }
        chunkSum += value;
        ++counted;
        result.minimum = std::min(result.minimum, value);
        result.maximum = std::max(result.maximum, value);
      }
      sum += chunkSum;
    }
    if (counted > 0) {
      result.mean = sum / static_cast<double>(counted);
      if (!std::isfinite(result.mean)) {  // the sum exceeded the range of doubles, but no mean does
        result.mean = 0;
        for (std::size_t start = 0; start < all.size(); start += kChunk) {
          control.check();
          for (const T element : all.subspan(start, std::min(kChunk, all.size() - start)))
            if (const auto value = static_cast<double>(element); std::isfinite(value))
              result.mean += value / static_cast<double>(counted);
        }
      }
    } else {
      result.minimum = result.maximum = 0;
    }
  });
  return result;
}

namespace {

constexpr std::int64_t kMostKept = std::int64_t{1} << 30;
constexpr std::int64_t kSmall = 1 << 20;  // below this a system call takes longer than filling the memory

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

  // A block of this size, the only one that is kept from now on; null if there is none.
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
  if (!block) return {shape, type, geometry};  // throws with the reason
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
