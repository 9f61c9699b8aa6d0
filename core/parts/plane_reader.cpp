#include "core/parts/plane_reader.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace sscope::reach {

namespace {

bool contains(const std::vector<Range>& ranges, std::int64_t plane) {
  return std::ranges::any_of(ranges, [&](const Range& range) { return plane >= range.begin && plane < range.end; });
}

// Calls `use(begin, end)` for the longest runs of planes within `ranges` that fulfill a condition.
template <class Condition, class Use>
void forEachRun(const std::vector<Range>& ranges, Condition condition, Use use) {
  for (const Range& range : ranges) {
    std::int64_t begin = range.begin;
    while (begin < range.end) {
      while (begin < range.end && !condition(begin)) ++begin;
      std::int64_t end = begin;
      while (end < range.end && condition(end)) ++end;
      if (begin < end) use(begin, end);
      begin = end;
    }
  }
}

}  // namespace

std::int64_t mostPlanes(const std::vector<std::vector<Range>>& needed) {
  std::int64_t most = 0;
  for (std::size_t part = 0; part < needed.size(); ++part) {
    std::vector<Range> both = needed[part];
    if (part + 1 < needed.size()) both.insert(both.end(), needed[part + 1].begin(), needed[part + 1].end());
    std::int64_t count = 0;
    for (const Range& range : united(std::move(both))) count += range.size();
    most = std::max(most, count);
  }
  return most;
}

PlaneReader::PlaneReader(VolumeSource& source, SparseVolume& volume, std::vector<std::vector<Range>> needed,
                         SeePlanes see)
    : source_(source),
      volume_(volume),
      needed_(std::move(needed)),
      see_(std::move(see)),
      there_(static_cast<std::size_t>(volume.planes())),
      seen_(static_cast<std::size_t>(volume.planes())),
      reading_([this](const std::stop_token& stop) { readAll(stop); }) {}

void PlaneReader::readMissing(std::size_t part, const std::stop_token& stop) {
  // So that planes are seen while they are in the processor's cache, and a stop is noticed between two.
  constexpr std::int64_t kBytesAtOnce = std::int64_t{4} << 20;
  const std::int64_t most = std::max<std::int64_t>(1, kBytesAtOnce / volume_.planeBytes());
  const auto at = [](std::int64_t plane) { return static_cast<std::size_t>(plane); };
  const auto missing = [&](std::int64_t plane) {
    const std::lock_guard lock(mutex_);
    return !there_[at(plane)];
  };
  forEachRun(needed_[part], missing, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end; first += most) {
      const std::int64_t last = std::min(end, first + most);
      source_.read(first, last, volume_.planesFrom(first, last), {stop, {}});
      if (see_)
        forEachRun(
            {{first, last}}, [&](std::int64_t plane) { return !seen_[at(plane)]; },
            [&](std::int64_t from, std::int64_t to) {
              see_(from, volume_.planesFrom(from, to));
              std::fill(seen_.begin() + from, seen_.begin() + to, true);
            });
      const std::lock_guard lock(mutex_);
      std::fill(there_.begin() + first, there_.begin() + last, true);
      planesRead_ += last - first;
    }
  });
}

void PlaneReader::readAll(const std::stop_token& stop) {
  try {
    for (std::size_t part = 0; part < needed_.size(); ++part) {
      {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [&] { return done_ + 1 >= part; })) return;
      }
      readMissing(part, stop);
      const std::lock_guard lock(mutex_);
      ready_ = part + 1;
      changed_.notify_all();
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
  }
}

void PlaneReader::await(std::size_t part, const Control& control) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, control.stop, [&] { return failure_ || ready_ > part; });
  control.check();
  if (ready_ <= part) std::rethrow_exception(failure_);
}

void PlaneReader::done(std::size_t part) {
  const std::vector<Range> none;
  const std::vector<Range>& next = part + 1 < needed_.size() ? needed_[part + 1] : none;
  const std::lock_guard lock(mutex_);
  forEachRun(
      needed_[part],
      [&](std::int64_t plane) { return there_[static_cast<std::size_t>(plane)] && !contains(next, plane); },
      [&](std::int64_t begin, std::int64_t end) {
        volume_.drop(begin, end);
        std::fill(there_.begin() + begin, there_.begin() + end, false);
      });
  done_ = part + 1;
  changed_.notify_all();
}

std::int64_t PlaneReader::planesRead() const {
  const std::lock_guard lock(mutex_);
  return planesRead_;
}

}  // namespace sscope::reach
