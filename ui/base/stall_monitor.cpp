#include "ui/base/stall_monitor.h"

#include <algorithm>

namespace sscope {

StallMonitor::StallMonitor(QObject* parent) : QObject(parent) {
  timer_.setTimerType(Qt::PreciseTimer);
  timer_.setInterval(5);
  connect(&timer_, &QTimer::timeout, this, &StallMonitor::tick);
}

void StallMonitor::restart() {
  largest_ = 0;
  ticks_ = 0;
  clock_.restart();
  timer_.start();
}

void StallMonitor::tick() {
  const double gap = static_cast<double>(clock_.nsecsElapsed()) * 1e-6;
  clock_.restart();
  ++ticks_;
  largest_ = std::max(largest_, gap);
}

}  // namespace sscope

#include "moc_stall_monitor.cpp"
