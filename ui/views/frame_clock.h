#pragma once
// How long a moving view takes from one picture to the next.

#include <chrono>
#include <deque>
#include <optional>

namespace sscope {

class FrameClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  void asked(Time now);  // for the next picture of the motion
  void shown(Time now);  // a picture of the motion is on the screen
  void rested();         // the motion is over; its frames are forgotten with the first one of the next

  // The median of the last frames of a motion, in seconds; empty before there is one.
  [[nodiscard]] std::optional<double> median() const;

 private:
  std::optional<Time> asked_;  // for the first time since the last picture
  std::optional<Time> shown_;  // the last picture of this motion
  std::deque<Duration> frames_;
  bool over_ = false;
};

}  // namespace sscope
