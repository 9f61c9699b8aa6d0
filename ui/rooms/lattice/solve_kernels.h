#pragma once
// Where a solve's time went: shares of the kernels, and the timeline of one iteration.

#include <QWidget>
#include <vector>

#include "ui/rooms/lattice/solve_controller.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace sscope {

class BarChart;
class NumberBox;
class TimelineChart;
class ValueSlider;

class SolveKernels : public QWidget {
  Q_OBJECT
 public:
  SolveKernels(SolveController& controller, QWidget* parent = nullptr);
  [[nodiscard]] BarChart& bars() { return *bars_; }
  [[nodiscard]] TimelineChart& timeline() { return *timeline_; }

 private:
  void listRuns();
  void showRun();
  void showIteration(int iteration);

  SolveController& controller_;
  QComboBox* run_;
  ValueSlider* slider_;
  NumberBox* number_;
  QCheckBox* whole_;
  QLabel* of_;
  BarChart* bars_;
  TimelineChart* timeline_;
  std::shared_ptr<const SolveRun> shown_;
};

}  // namespace sscope
