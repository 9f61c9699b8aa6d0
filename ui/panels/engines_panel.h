#pragma once
// The Engines panel of all rooms: engines, variant, threads, and the charts of times.

#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/base/toolbox.h"
#include "ui/model/engine_figures.h"
#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace sscope {

class BusyMeter;
class ElidedLabel;
class EngineList;
class Notice;
class ShareLanes;

class EnginesPanel : public QWidget {
  Q_OBJECT
 public:
  // busy: percent per processor core now, empty when unavailable.
  EnginesPanel(const Toolbox& toolbox, SessionModel& model, LiveController& live, EngineFigures& figures,
               std::function<std::vector<double>()> busy, QWidget* parent = nullptr);

  [[nodiscard]] TimeChart& timeChart() { return *time_; }
  [[nodiscard]] ThroughputChart& throughputChart() { return *throughput_; }
  [[nodiscard]] WaitChart& waitChart() { return *wait_; }
  [[nodiscard]] WaitClock& waits() { return figures_.waits(); }
  void measureCeilings();
  // Disables measuring ceilings while something else is timed.
  void holdMeasuring(bool held);
  // Shows these rows instead of the filter bank's and hides the choice of its variant; null: shows the bank's again.
  void follow(std::function<std::vector<EngineRow>()> rows);
  void refreshCharts();
  // Stops the panel's own periodic work while something is timed.
  void setResting(bool resting);
  // The engines checked for comparison.
  [[nodiscard]] std::vector<std::string> compared() const;
  void setCompared(const std::vector<std::string>& ids);

 Q_SIGNALS:
  void comparedChanged();
  void repeatRequested();
  void compareRequested();  // the engine that runs with the checked ones, on the bank
  void measuringBegins();   // other timing must pause

 private:
  QWidget* buildChoice();
  QWidget* buildRace();
  QWidget* buildTimeHeading();
  QWidget* buildMeasure();
  void chooseEngine(const std::string& id);
  void refreshChoice();
  void refreshPlace();
  void refreshWait();
  // The times in the list of variants, and the outcome of the last run.
  void refreshPredictions();

  const Toolbox& toolbox_;
  SessionModel& model_;
  LiveController& live_;
  EngineFigures& figures_;
  EngineList* list_;
  QFormLayout* choice_;
  QComboBox* variant_;
  QSpinBox* threads_;
  ElidedLabel* prediction_;
  ShareLanes* shares_;   // of joined engines
  ElidedLabel* place_;   // where the result is stored
  ElidedLabel* memory_;  // in use there
  QToolButton* repeat_;
  QPushButton* race_;
  QWidget* waitHeading_;
  WaitChart* wait_;
  TimeChart* time_;
  ThroughputChart* throughput_;
  BusyMeter* busyMeter_;
  QPushButton* measure_;
  QProgressBar* measureProgress_;
  Notice* notice_;
  QTimer busyTimer_;
  bool measuringHeld_ = false;
  std::function<std::vector<EngineRow>()> otherRows_;
};

}  // namespace sscope
