#pragma once
// Measures the longest stall of the window's event loop.

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace sscope {

// A 5 ms timer on its thread; the largest gap between two ticks is the longest stall, in milliseconds.
class StallMonitor : public QObject {
  Q_OBJECT
 public:
  explicit StallMonitor(QObject* parent = nullptr);
  void restart();
  [[nodiscard]] double largestGapMilliseconds() const { return largest_; }
  // Number of ticks since restart().
  [[nodiscard]] int ticks() const { return ticks_; }

 private:
  void tick();

  QTimer timer_;
  QElapsedTimer clock_;
  double largest_ = 0;
  int ticks_ = 0;
};

}  // namespace sscope
