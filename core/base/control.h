#pragma once
// Progress and cancellation of long work: a stop token and a progress callback.

#include <functional>
#include <stop_token>
#include <string_view>

#include "core/base/error.h"

namespace sscope {

struct Control {
  std::stop_token stop;
  // Called from any thread with the finished fraction, 0..1, and a short stage name.
  std::function<void(double fraction, std::string_view stage)> progress;

  [[nodiscard]] bool stopRequested() const noexcept { return stop.stop_requested(); }

  // Throws Canceled when a stop was requested. Long loops call it at least every 50 ms.
  void check() const {
    if (stopRequested()) throw Canceled();
  }

  void report(double fraction, std::string_view stage) const {
    if (progress) progress(fraction, stage);
  }

  // For a part of the work: its fractions 0..1 are reported as `begin`..`end` of the whole.
  [[nodiscard]] Control part(double begin, double end) const {
    if (!progress) return {stop, {}};
    return {stop, [whole = progress, begin, end](double fraction, std::string_view stage) {
              whole(begin + (end - begin) * fraction, stage);
            }};
  }
};

}  // namespace sscope
