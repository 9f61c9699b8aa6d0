#pragma once
// Tabs of a solve: the pion correlator, and where the time went.

#include <QWidget>
#include <vector>

#include "ui/base/background_task.h"
#include "ui/rooms/lattice/lattice_controller.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace sscope {

class BarChart;
class CurveChart;
class NumberBox;
class NumberTable;
class TimelineChart;
class ValueSlider;

// The pion correlator of a propagator and its effective mass, as charts and numbers.
class SolveCorrelator : public QWidget {
  Q_OBJECT
 public:
  SolveCorrelator(SolveController& controller, QWidget* parent = nullptr);
  [[nodiscard]] CurveChart& correlator() { return *correlator_; }
  [[nodiscard]] CurveChart& mass() { return *mass_; }
  // Empty unless requested and computed.
  [[nodiscard]] const std::vector<double>& free() const { return free_; }

 Q_SIGNALS:
  void offersChanged();

 private:
  void forget();
  void refresh();
  void computeFree();
  void showTable(const SolveRun& run);

  SolveController& controller_;
  QCheckBox* freeBox_;
  CurveChart* correlator_;
  CurveChart* mass_;
  NumberTable* table_;
  std::vector<double> free_;
  BackgroundTask task_;  // last member, so that it ends before the others are destroyed
};

// The shares of the kernels in the time of a solve, and the timeline of one iteration.
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
