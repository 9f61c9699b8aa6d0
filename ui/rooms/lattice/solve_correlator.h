#pragma once
// The pion correlator of a propagator, its effective mass, and both as numbers.

#include <QWidget>
#include <vector>

#include "ui/base/background_task.h"
#include "ui/rooms/lattice/solve_controller.h"

class QCheckBox;

namespace sscope {

class CurveChart;
class NumberTable;

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

}  // namespace sscope
