#pragma once
// Measures the longest stall of the event loop.

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <algorithm>

namespace sscope::test {

// A timer of 5 ms on its thread; the largest gap between two ticks is the longest stall.
class StallMonitor {
 public:
  StallMonitor() {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(5);
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] {
      largest_ = std::max(largest_, static_cast<double>(clock_.nsecsElapsed()) * 1e-6);
      clock_.restart();
      ++ticks_;
    });
  }
  void restart() {
    largest_ = 0;
    ticks_ = 0;
    clock_.restart();
    timer_.start();
  }
  [[nodiscard]] double largestGapMilliseconds() const { return largest_; }
  // Number of ticks since restart().
  [[nodiscard]] int ticks() const { return ticks_; }

 private:
  QTimer timer_;
  QElapsedTimer clock_;
  double largest_ = 0;
  int ticks_ = 0;
};

}  // namespace sscope::test
