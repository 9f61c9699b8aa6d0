#include "core/volume/fingerprint.h"

#include <fmt/core.h>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "core/base/encoding.h"

namespace sscope {

namespace {

// The mixer of SplitMix64 (Steele, Lea, Flood 2014), which also generates the keys.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr std::size_t kStirred = 16;  // stripes until the lanes are stirred
constexpr std::uint64_t kStir = 0x9e3779b1u;

template <std::size_t N>
constexpr std::array<std::uint64_t, N> keysFrom(std::uint64_t seed) {
  std::array<std::uint64_t, N> keys{};
  for (std::uint64_t& key : keys) key = mixed(seed += 0x9e3779b97f4a7c15u);
  return keys;
}
constexpr auto kKeys = keysFrom<kStirred + 16>(1);

}  // namespace

FingerprintSum::FingerprintSum(const VolumeShape& shape, ElementType type) : shape_(shape), type_(type) {
  const std::array<std::int64_t, 4> extent{shape.nx, shape.ny, shape.nz, shape.components};
  planes_ = extent[slowestAxis(extent)];
  planeBytes_ = shape.elements() / planes_ * static_cast<std::int64_t>(bytesOf(type));
  begin();
}

void FingerprintSum::begin() {
  lanes_ = keysFrom<kLanes>(2);
  behind_ = 0;
  stripes_ = 0;
  held_ = 0;
}

// Absorbs stripes like XXH3 (Collet 2019): with 32-bit products, which all vector units have.
void FingerprintSum::stripe(const std::byte* bytes) {
  const std::uint64_t* const keys = kKeys.data() + stripes_ % kStirred;
  std::array<std::uint64_t, kLanes> words{};
  std::memcpy(words.data(), bytes, kStripe);
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::uint64_t keyed = words[i] ^ keys[i];
    lanes_[i] += words[i ^ 1] + (keyed & 0xffffffffu) * (keyed >> 32);
  }
  if (++stripes_ % kStirred == 0)
    for (std::size_t i = 0; i < kLanes; ++i) lanes_[i] = (lanes_[i] ^ (lanes_[i] >> 47) ^ kKeys[kStirred + i]) * kStir;
}

void FingerprintSum::absorb(std::span<const std::byte> bytes) {
  behind_ += static_cast<std::int64_t>(bytes.size());
  if (held_ > 0) {
    const std::size_t count = std::min(kStripe - held_, bytes.size());
    std::copy_n(bytes.begin(), count, rest_.begin() + static_cast<std::ptrdiff_t>(held_));
    held_ += count;
    bytes = bytes.subspan(count);
    if (held_ < kStripe) return;
    stripe(rest_.data());
    held_ = 0;
  }
  std::size_t at = 0;
  for (; at + kStripe <= bytes.size(); at += kStripe) stripe(bytes.data() + at);
  held_ = bytes.size() - at;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), held_, rest_.begin());
}

void FingerprintSum::end() {
  if (held_ > 0) {
    std::fill(rest_.begin() + static_cast<std::ptrdiff_t>(held_), rest_.end(), std::byte{0});
    stripe(rest_.data());
  }
  std::uint64_t low = mixed(static_cast<std::uint64_t>(plane_) + 1), high = mixed(low + 1);
  for (const std::uint64_t lane : lanes_) {
    low = mixed(low ^ lane);
    high = mixed((high + lane) * 0x9e3779b97f4a7c15u);
  }
  seen_.low += low;
  seen_.high += high;
  ++seen_.planes;
  ++plane_;
  begin();
}

void FingerprintSum::add(std::int64_t first, std::span<const std::byte> planes) {
  plane_ = first;
  follow(planes);
}

void FingerprintSum::follow(std::span<const std::byte> voxels) {
  while (!voxels.empty()) {
    const auto count = std::min(voxels.size(), static_cast<std::size_t>(planeBytes_ - behind_));
    absorb(voxels.first(count));
    voxels = voxels.subspan(count);
    if (behind_ == planeBytes_) end();
  }
}

void FingerprintSum::take(const Seen& seen) {
  seen_.low += seen.low;
  seen_.high += seen.high;
  seen_.planes += seen.planes;
}

FingerprintSum& FingerprintSum::operator+=(const FingerprintSum& other) {
  take(other.seen_);
  return *this;
}

std::string FingerprintSum::text() const {
  if (seen_.planes != planes_) return {};
  const std::uint64_t outline = hashOf(shape_.text() + " " + std::string(toString(type_)));
  return fmt::format("{:016x}{:016x}", mixed(seen_.high ^ outline), mixed(seen_.low + outline));
}

std::string fingerprintOf(const Volume& volume, const Control& control) {
  constexpr std::int64_t kPiece = std::int64_t{1} << 20;
  FingerprintSum all(volume.shape(), volume.type());
  const std::int64_t planes = all.planes(), bytes = volume.bytes() / planes;
  const auto grain = static_cast<std::size_t>(std::clamp<std::int64_t>(kPiece / bytes, 1, planes));
  std::mutex mutex;
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, planes, grain), [&](const auto& range) {
    FingerprintSum part(volume.shape(), volume.type());
    for (std::int64_t at = range.begin(); at < range.end(); ++at) {
      if (control.stop.stop_requested()) return;
      part.add(at, {volume.data() + at * bytes, static_cast<std::size_t>(bytes)});
    }
    const std::lock_guard lock(mutex);
    all += part;
  });
  control.check();
  return all.text();
}

}  // namespace sscope
