#include "ui/views/frame_clock.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sscope {

namespace {
using namespace std::chrono_literals;
constexpr std::size_t kFrames = 9;  // the median is of at most so many
constexpr auto kPause = 50ms;       // who holds still for so long within a motion waits for no picture
}  // namespace

void FrameClock::asked(Time now) {
  if (over_) {
    frames_.clear();
    shown_.reset();
    over_ = false;
  }
  if (!asked_) asked_ = now;
}

void FrameClock::shown(Time now) {
  if (!asked_) return;
  const bool paused = !shown_ || *asked_ - *shown_ > kPause;
  frames_.push_back(now - (paused ? *asked_ : *shown_));
  if (frames_.size() > kFrames) frames_.pop_front();
  shown_ = now;
  asked_.reset();
}

void FrameClock::rested() {
  asked_.reset();
  over_ = true;
}

std::optional<double> FrameClock::median() const {
  if (frames_.empty()) return {};
  std::vector<Duration> sorted(frames_.begin(), frames_.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  return std::chrono::duration<double>(*middle).count();
}

}  // namespace sscope
