#include "core/parts/large_volume.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/base/error.h"

namespace sscope::reach {

namespace {

constexpr std::int64_t kMostOverview = std::int64_t{256} << 20;
constexpr std::int64_t kOverviewShare = 8, kPlanesShare = 4;  // of the memory: 1 / these

VolumeOutline outlineIn(const VolumeInfo& info) { return {info.shape, info.type, info.geometry}; }

template <class Planes, class Use>
void forEach(const std::vector<Range>& ranges, Planes& planes, Use use) {
  for (const Range& range : ranges)
    for (std::int64_t plane = range.begin; plane < range.end; ++plane)
      use(plane, planes[static_cast<std::size_t>(plane)]);
}

}  // namespace

LargeVolume::LargeVolume(Overview overview, std::unique_ptr<VolumeSource> source, std::int64_t memory)
    : source_(std::move(source)),
      sparse_(outlineIn(source_->info()), SparseVolume::Pages::Small),
      most_(std::max<std::int64_t>(1, memory / kPlanesShare / sparse_.planeBytes())),
      overview_(std::move(overview)),
      planes_(static_cast<std::size_t>(sparse_.planes())) {
  if (sparse_.planeBytes() > memory / kPlanesShare)
    whyNoPlanes_ = "a single plane of the file takes more memory than there is for planes";
}

LargeVolume::LargeVolume(std::unique_ptr<VolumeSource> source, std::int64_t memory, const Control& control)
    : LargeVolume(Overview(), std::move(source), memory) {
  const auto block = overviewBlock(outlineIn(source_->info()), overviewBytes(memory), sparse_.axis(), most_);
  overview_ = overviewOf(*source_, sparse_, block, control);
}

std::int64_t LargeVolume::overviewBytes(std::int64_t memory) {
  return std::min(kMostOverview, memory / kOverviewShare);
}

LargeVolume::Held LargeVolume::hold(std::vector<Range> planes, const Control& control) {
  std::int64_t count = 0;
  for (const Range& range : planes) count += range.size();
  if (!holdsPlanes()) throw Error(ErrorKind::Unsupported, whyNoPlanes_, "export the result to see all of it");
  if (count > most_)
    throw Error(ErrorKind::Memory,
                "this reads " + std::to_string(count) + " of " + std::to_string(sparse_.planes()) +
                    " planes at once, and there is room for " + std::to_string(most_),
                "choose filters that reach less far, or export the result");
  Held held;  // ends after the lock
  std::unique_lock lock(mutex_);
  changed_.wait(lock, control.stop, [&] { return !reading_; });
  control.check();
  ++uses_;
  forEach(planes, planes_, [&](std::int64_t, Plane& plane) {
    ++plane.holders;
    plane.used = uses_;
  });
  held = Held(*this, std::move(planes));
  std::int64_t missing = 0;
  forEach(held.planes_, planes_, [&](std::int64_t, const Plane& plane) { missing += plane.there ? 0 : 1; });
  if (missing == 0) return held;
  makeRoom(missing);
  reading_ = true;
  lock.unlock();
  const auto end = [&] {
    const std::lock_guard again(mutex_);
    reading_ = false;
    changed_.notify_all();
  };
  try {
    readMissing(held.planes_, control);
  } catch (...) {
    end();
    throw;
  }
  end();
  return held;
}

void LargeVolume::readMissing(const std::vector<Range>& planes, const Control& control) {
  const auto there = [&](std::int64_t plane) { return planes_[static_cast<std::size_t>(plane)].there; };
  for (const Range& range : planes)
    for (std::int64_t begin = range.begin, end = begin; begin < range.end; begin = end) {
      end = begin + 1;
      if (there(begin)) continue;
      while (end < range.end && !there(end)) ++end;
      try {
        source_->read(begin, end, sparse_.planesFrom(begin, end), control);
      } catch (...) {
        sparse_.drop(begin, end);  // what was filled would count nowhere
        throw;
      }
      for (std::int64_t plane = begin; plane < end; ++plane) planes_[static_cast<std::size_t>(plane)].there = true;
    }
}

void LargeVolume::makeRoom(std::int64_t coming) {
  std::vector<std::int64_t> idle;
  std::int64_t there = 0;
  for (std::size_t plane = 0; plane < planes_.size(); ++plane) {
    if (!planes_[plane].there) continue;
    ++there;
    if (planes_[plane].holders == 0) idle.push_back(static_cast<std::int64_t>(plane));
  }
  std::ranges::sort(idle, {}, [&](std::int64_t plane) { return planes_[static_cast<std::size_t>(plane)].used; });
  for (const std::int64_t plane : idle) {
    if (there + coming <= most_) return;
    sparse_.drop(plane, plane + 1);
    planes_[static_cast<std::size_t>(plane)].there = false;
    --there;
  }
}

void LargeVolume::release(const std::vector<Range>& planes) {
  const std::lock_guard lock(mutex_);
  forEach(planes, planes_, [](std::int64_t, Plane& plane) { --plane.holders; });
}

Volume LargeVolume::plane(std::int64_t at, const Control& control) {
  const Held held = hold({{at, at + 1}}, control);
  VolumeShape shape = volume().shape();
  (axis() == 2 ? shape.nz : axis() == 1 ? shape.ny : shape.nx) = 1;
  Volume one(shape, volume().type());
  std::memcpy(one.data(), sparse_.planesFrom(at, at + 1).data(), static_cast<std::size_t>(one.bytes()));
  return one;
}

}  // namespace sscope::reach
